import { expect, test } from "bun:test";
import { listProcesses, markRun } from "../../src/system/processes/list-processes.ts";
import { nameProcess } from "../../src/system/processes/process-name.ts";

test.each([process.platform, "darwin"] as const)(
  "listProcesses() finds a mark and a parent (%s)",
  async (platform) => {
    const mark = crypto.randomUUID();
    const env = { ...process.env, ...markRun(mark) };
    const child = Bun.spawn(["sh", "-c", "echo; read x"], { env, stdin: "pipe", stdout: "pipe" });
    await child.stdout.getReader().read(); // it runs
    const isMarked = { pid: child.pid, parentId: process.pid, isMarked: true };
    expect(listProcesses(mark, platform).filter((entry) => entry.isMarked)).toEqual([isMarked]);
    const own = listProcesses(nameProcess(), platform).filter((entry) => entry.isMarked);
    expect(own).toContainEqual(isMarked);
    child.kill("SIGKILL");
    await child.exited;
    expect(listProcesses(mark, platform).filter((entry) => entry.isMarked)).toEqual([]);
  },
);
