// tls.mjs: the scripted server behind HTTPS, with a certificate for localhost
// that is made anew for each run.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import https from "node:https";
import os from "node:os";
import path from "node:path";
import { handler, listen } from "./openai.mjs";

function makeCertificate(folder) {
  const key = path.join(folder, "key.pem");
  const certificate = path.join(folder, "certificate.pem");
  execFileSync("openssl", [
    "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
    "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", certificate,
  ], { stdio: "ignore" });
  return { key, certificate };
}

// { server, certificate (a file) }, or null where openssl is not installed.
export async function startTls() {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "evalhost-tls-"));
  process.on("exit", () => fs.rmSync(folder, { recursive: true, force: true }));
  try {
    const { key, certificate } = makeCertificate(folder);
    const options = { key: fs.readFileSync(key), cert: fs.readFileSync(certificate) };
    return { server: await listen(https.createServer(options, handler())), certificate };
  } catch (error) {
    if (error.code === "ENOENT") return null;
    throw error;
  }
}
