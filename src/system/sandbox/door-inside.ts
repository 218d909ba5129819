import { spawn } from "node:child_process";
import { connect, createServer } from "node:net";

// A program of its own, inside a sandbox without a network: it passes on what is said to a port of
// the sandbox's loopback to a socket of papa-yu's, runs a command, and ends with it.
const [socket = "", port = "", cwd = "/", program = "", ...args] = process.argv.slice(2);

const server = createServer({ allowHalfOpen: true }, (client) => {
  const proxy = connect({ path: socket, allowHalfOpen: true });
  for (const [one, other] of [
    [client, proxy],
    [proxy, client],
  ] as const) {
    one.on("error", () => other.destroy());
    one.once("close", () => other.destroySoon());
    one.pipe(other);
  }
});

function end(code: number): void {
  server.close();
  process.exit(code);
}

server.once("error", (error) => {
  process.stderr.write(`Cannot give the command its network: ${error.message}\n`);
  end(126);
});
server.listen(Number(port), "127.0.0.1", () => {
  const child = spawn(program, args, { cwd, stdio: "inherit" });
  child.once("error", (error) => {
    process.stderr.write(`Cannot run "${program}": ${error.message}\n`);
    end(127);
  });
  child.once("exit", (code) => end(code ?? 1));
});
