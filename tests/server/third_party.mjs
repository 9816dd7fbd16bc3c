// third_party.mjs: starts the OpenAI mock from npm, which nobody here wrote, on
// the conversations of fixtures/. package.json names it; `./setup.sh --dev`
// installs it.
import fs from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const fixtures = fileURLToPath(new URL("fixtures", import.meta.url));

// Its base URL, without /v1, or null where it is not installed.
export async function startThirdParty() {
  if (!fs.existsSync(new URL("node_modules/@copilotkit/aimock", import.meta.url))) return null;
  // Its CommonJS form runs on Node 18 too; the other one needs zlib.crc32.
  const { LLMock } = createRequire(import.meta.url)("@copilotkit/aimock");
  const mock = new LLMock({ port: 0, host: "127.0.0.1", logLevel: "silent", strict: true, chunkSize: 4 });
  mock.loadFixtureDir(fixtures);
  await mock.start();
  return mock.url;
}
