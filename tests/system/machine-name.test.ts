import { describe, expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { takeMachineName } from "../../src/system/locks/machine-name.ts";
import { tempDir } from "../support/temp.ts";

const CHILD = Bun.fileURLToPath(new URL("./take-name-child.ts", import.meta.url));

/** Another process, with a home of its own, that takes the name and says what came of it. */
async function takeElsewhere(name: string, file: string, home: string) {
  const child = Bun.spawn([process.execPath, CHILD, name, file], {
    env: { HOME: home, PAPAYU_HOME: home },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const { value } = await child.stdout.getReader().read();
  const result: { ok: boolean; holder?: { pid: number; what: string } } = JSON.parse(
    Buffer.from(value ?? []).toString(),
  );
  return { child, result };
}

describe("takeMachineName()", () => {
  test("gives a name to one process, says who has it, and gives it back however that ends", async () => {
    using dir = tempDir();
    const name = `papayu-test-${randomUUID()}`;
    const file = join(dir.path, "name.lock");
    const { child, result } = await takeElsewhere(name, file, "/homes/other");
    expect(result).toMatchObject({ ok: true });
    const options = { what: "/homes/here", file };
    const second = await takeMachineName(name, options);
    expect(second).toMatchObject({ ok: false, holder: { pid: child.pid, what: "/homes/other" } });
    child.kill("SIGKILL");
    await child.exited;
    const third = await takeMachineName(name, options);
    expect(third.ok).toBe(true);
    const again = await takeElsewhere(name, file, "/homes/other");
    expect(again.result).toMatchObject({ ok: false, holder: { pid: process.pid } });
    await again.child.exited;
    if (third.ok) third.release();
    const last = await takeMachineName(name, options);
    expect(last.ok).toBe(true);
    if (last.ok) last.release();
  });

  // Elsewhere nobody is asked.
  test.if(process.platform === "linux")(
    "says only that a name is taken when whoever has it does not answer, or says rubbish",
    async () => {
      for (const words of [undefined, "rubbish", "x".repeat(100_000)]) {
        const name = `papayu-test-${randomUUID()}`;
        const server = Bun.listen({
          unix: `\0${name}`,
          socket: { open: (socket) => void (words && socket.end(words)), data() {} },
        });
        const taken = await takeMachineName(name, {
          what: "here",
          file: "/nowhere",
          answerMs: 200,
        });
        expect(taken).toEqual({ ok: false, holder: undefined });
        server.stop(true);
      }
    },
  );
});
