-- command/test.lua: `evalhost test PATH...`: runs spec files and says what came of them.

local os_ = require "evalhost.native.os"
local spec = require "evalhost.spec"
local style = require "evalhost.report.style"

local test = {}

local EXIT = { passed = 0, failed = 1, usage = 2 }

local function indented(text, indent)
  return indent .. text:gsub("\n", "\n" .. indent)
end

local function print_failure(report, paint, verbose)
  local lines = { ("%s %s"):format(paint.red "FAILED", report.name),
    indented(("%s: %s"):format(report.place, report.message), "  ") }
  if report.traceback and verbose then
    lines[#lines + 1] = indented(report.traceback, "    ")
  end
  os_.write_out(table.concat(lines, "\n") .. "\n")
end

local SIGNS = { passed = "ok     ", failed = "FAILED ", skipped = "skipped" }

local function print_test(report, paint)
  local color = report.status == "passed" and paint.green or report.status == "failed" and paint.red
    or paint.yellow
  local note = report.status == "skipped" and ": " .. report.message or ""
  os_.write_out(("  %s %s%s\n"):format(color(SIGNS[report.status]), report.name, note))
end

local function print_file(file, counts, paint)
  local parts = { ("%d passed"):format(counts.passed) }
  if counts.failed > 0 then
    parts[#parts + 1] = paint.red(("%d failed"):format(counts.failed))
  end
  if counts.skipped > 0 then
    parts[#parts + 1] = paint.yellow(("%d skipped"):format(counts.skipped))
  end
  os_.write_out(("%s: %s\n"):format(file, table.concat(parts, ", ")))
end

local function run_file(file, options, paint, total)
  local counts, reasons = { passed = 0, failed = 0, skipped = 0 }, {}
  if options.verbose then
    os_.write_out(paint.bold(file) .. "\n")
  end
  spec.run(file, function(report)
    counts[report.status] = counts[report.status] + 1
    total[report.status] = total[report.status] + 1
    if options.verbose then
      print_test(report, paint)
    elseif report.status == "skipped" and not reasons[report.message] then
      reasons[report.message] = true
      reasons[#reasons + 1] = report.message
    end
    if report.status == "failed" then
      print_failure(report, paint, options.verbose)
    end
  end)
  if not options.verbose and not options.quiet then
    print_file(file, counts, paint)
    for _, reason in ipairs(reasons) do
      os_.write_out("  skipped: " .. reason .. "\n")
    end
  end
end

---@param options table the command line
---@return integer exit code
function test.main(options)
  local paint = style.new(style.colors(options).out)
  local files, problem = spec.find(options.operands)
  if not files or #files == 0 then
    os_.write_err(("evalhost: %s\n"):format(problem
      or "no *_spec.lua file in " .. table.concat(options.operands, ", ")))
    return EXIT.usage
  end
  local total = { passed = 0, failed = 0, skipped = 0 }
  for _, file in ipairs(files) do
    run_file(file, options, paint, total)
  end
  local last = ("%d passed, %d failed"):format(total.passed, total.failed)
  if total.skipped > 0 then
    last = last .. (", %d skipped"):format(total.skipped)
  end
  os_.write_out(last .. "\n")
  return total.failed > 0 and EXIT.failed or EXIT.passed
end

return test
