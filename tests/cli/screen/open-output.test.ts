import { expect, test } from "bun:test";
import { resolve } from "node:path";

const SOURCE = resolve(import.meta.dir, "../../../src/cli/screen/open-output.ts");

/** A terminal of which nothing is read for half a second; how many of the letters came, what was said. */
const HOLD = `import os, pty, subprocess, sys, time
us, it = pty.openpty()
child = subprocess.Popen(sys.argv[1:], stdin=it, stdout=it, stderr=subprocess.PIPE, start_new_session=True)
os.close(it)
time.sleep(0.5)
seen = 0
try:
  while True: seen += os.read(us, 65536).count(b"x")
except OSError: pass
print(seen, child.stderr.read().decode())
`;

async function say(waits: boolean): Promise<string> {
  const script = `import { createOutputs, roomIn } from ${JSON.stringify(SOURCE)};
const outputs = createOutputs({ stdout: undefined, stderr: undefined });
const stdout = outputs.stdout();
for (let piece = 0; piece < 8; piece++) {
  ${waits ? "await roomIn(stdout);" : ""}
  stdout.write("x".repeat(400_000));
}
await outputs.flush();
process.stderr.write(stdout.shared.isCut ? "cut" : "whole");
process.exit(0);`;
  const child = Bun.spawn(["python3", "-c", HOLD, process.execPath, "-e", script], {
    stdout: "pipe",
  });
  return (await child.stdout.text()).trim();
}

test("a terminal that takes nothing keeps no more than a megabyte waiting, and says that it was cut", async () => {
  const [letters, how] = (await say(false)).split(" ");
  expect(how).toBe("cut");
  expect(Number(letters)).toBeGreaterThan(1024 * 1024);
  expect(Number(letters)).toBeLessThan(2 * 1024 * 1024);
});

test("who waits for room loses nothing on a terminal that takes its time", async () => {
  expect(await say(true)).toBe(`${8 * 400_000} whole`);
});
