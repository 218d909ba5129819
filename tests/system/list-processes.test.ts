import { expect, test } from "bun:test";
import { listProcesses, RUN_MARK } from "../../src/system/list-processes.ts";

test.each([process.platform, "darwin"] as const)(
  "listProcesses() finds a mark and a parent (%s)",
  async (platform) => {
    const mark = crypto.randomUUID();
    const env = { ...process.env, [RUN_MARK]: mark };
    const child = Bun.spawn(["sh", "-c", "echo; read x"], { env, stdin: "pipe", stdout: "pipe" });
    await child.stdout.getReader().read(); // it runs
    const isMarked = { pid: child.pid, parentId: process.pid, isMarked: true };
    expect(listProcesses(mark, platform).filter((entry) => entry.isMarked)).toEqual([isMarked]);
    child.kill("SIGKILL");
    await child.exited;
    expect(listProcesses(mark, platform).filter((entry) => entry.isMarked)).toEqual([]);
  },
);
