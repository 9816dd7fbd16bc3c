// with_server.mjs: runs a command beside the scripted servers, and ends as it
// ends.
//   node tests/server/with_server.mjs -- COMMAND ARGS...
// The command finds in its environment
//   EVALHOST_TEST_SERVER        http://127.0.0.1:PORT of openai.mjs
//   EVALHOST_TEST_REFUSED       http://127.0.0.1:PORT where nothing listens
//   EVALHOST_TEST_TLS           https://localhost:PORT of openai.mjs behind a
//                               certificate that no authority signed, and
//   EVALHOST_TEST_CA            the file that would make it trusted; both only
//                               where openssl is installed
//   EVALHOST_THIRD_PARTY_MOCK   http://127.0.0.1:PORT of the mock from npm; only
//                               where it is installed
// After EVALHOST_TEST_LIMIT seconds (600) the command is ended, with exit 124.
import { spawn } from "node:child_process";
import net from "node:net";
import os from "node:os";
import { start } from "./openai.mjs";
import { startThirdParty } from "./third_party.mjs";
import { startTls } from "./tls.mjs";

const at = (server, scheme = "http", host = "127.0.0.1") => `${scheme}://${host}:${server.address().port}`;

// A port that refuses connections and that nobody else can be given meanwhile:
// the local end of a connection of our own.
function refusedPort(server) {
  return new Promise((resolve) => {
    const socket = net.connect(server.address().port, "127.0.0.1", () => resolve(socket.localPort));
    socket.on("error", () => {});
  });
}

async function environment() {
  const server = await start();
  const env = {
    EVALHOST_TEST_SERVER: at(server),
    EVALHOST_TEST_REFUSED: `http://127.0.0.1:${await refusedPort(server)}`,
  };
  const tls = await startTls();
  if (tls) {
    env.EVALHOST_TEST_TLS = at(tls.server, "https", "localhost");
    env.EVALHOST_TEST_CA = tls.certificate;
  }
  const mock = await startThirdParty();
  if (mock) env.EVALHOST_THIRD_PARTY_MOCK = mock;
  return env;
}

function statusOf(code, signal) {
  return signal ? 128 + os.constants.signals[signal] : code;
}

function run(command, env) {
  const child = spawn(command[0], command.slice(1), { stdio: "inherit", env: { ...process.env, ...env } });
  const limit = Number(process.env.EVALHOST_TEST_LIMIT ?? 600);
  let late = false;
  setTimeout(() => {
    late = true;
    console.error(`with_server: ended after ${limit} s`);
    child.kill("SIGTERM");
    setTimeout(() => child.kill("SIGKILL"), 5000);
  }, limit * 1000);
  for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  process.on("SIGINT", () => {}); // the terminal sends it to the command too
  child.on("error", (error) => {
    console.error(`with_server: ${error.message}`);
    process.exit(127);
  });
  child.on("exit", (code, signal) => process.exit(late ? 124 : statusOf(code, signal)));
}

const separator = process.argv.indexOf("--");
const command = process.argv.slice(separator + 1);
if (separator < 0 || command.length === 0) {
  console.error("usage: node with_server.mjs -- COMMAND ARGS...");
  process.exit(2);
}
run(command, await environment());
