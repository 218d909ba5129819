import { expect, test } from "bun:test";
import { join } from "node:path";
import { findSupervisor } from "../../src/system/processes/supervisor.ts";
import { createSandbox } from "../e2e/papayu.ts";
import { papayuProgram } from "../support/papayu-program.ts";
import { tempDir } from "../support/temp.ts";

/** Prints each datagram that arrives at a socket, until one says that the sender stops. */
const LISTENER = `import socket, sys
name = sys.argv[1]
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.bind("\\0" + name[1:] if name[0] == "@" else name)
print("listening", flush=True)
while True:
    text = s.recv(4096).decode()
    print(text, flush=True)
    if text == "STOPPING=1": break
`;

test.each(["in a folder", "in none"])(
  "the daemon tells systemd, at a socket %s, that it is ready, that it lives, and that it stops",
  async (where) => {
    using dir = tempDir();
    const name = where === "in none" ? `@papayu-${crypto.randomUUID()}` : join(dir.path, "notify");
    const listener = Bun.spawn(["python3", "-c", LISTENER, name], { stdout: "pipe" });
    const said = listener.stdout.pipeThrough(new TextDecoderStream()).getReader();
    let heard = "";
    const hear = async (text: string) => {
      while (!heard.includes(text)) {
        const { value, done } = await said.read();
        if (done) throw new Error(`${text} did not come: ${heard}`);
        heard += value;
      }
    };
    await hear("listening\n");
    const { env } = createSandbox(dir.path, "[http]\nenabled = false\n");
    const watched = { NOTIFY_SOCKET: name, WATCHDOG_USEC: "100000" };
    const daemon = Bun.spawn([process.execPath, papayuProgram(), "start"], {
      cwd: dir.path,
      env: { ...env, ...watched },
      stdio: ["ignore", "ignore", "ignore"],
    });
    await hear("READY=1\nWATCHDOG=1\nWATCHDOG=1\n");
    daemon.kill("SIGTERM");
    expect(await daemon.exited).toBe(0);
    await hear("STOPPING=1\n");
    await listener.exited;
  },
);

test.each(["", "relative", "/", `/${"x".repeat(200)}`, "/nowhere/at/all", "@nobody listens"])(
  "%j for a supervisor ends nothing",
  (name) => {
    const supervisor = findSupervisor({ NOTIFY_SOCKET: name, WATCHDOG_USEC: "never" });
    expect(supervisor === undefined).toBe(!/^[/@]./u.test(name) || name.length > 108);
    supervisor?.ready();
    supervisor?.stopping();
  },
);
