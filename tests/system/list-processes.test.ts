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
    expect(listProcesses(mark, {}, platform).filter((entry) => entry.isMarked)).toEqual([isMarked]);
    const own = listProcesses(nameProcess(), {}, platform).filter((entry) => entry.isMarked);
    expect(own).toContainEqual(isMarked);
    child.kill("SIGKILL");
    await child.exited;
    expect(listProcesses(mark, {}, platform).filter((entry) => entry.isMarked)).toEqual([]);
  },
);

test.if(process.platform === "linux")(
  "listProcesses() finds what was started after another, wherever the numbers begin anew",
  async () => {
    const mark = crypto.randomUUID();
    const start = () =>
      Bun.spawn(["sh", "-c", "echo; read x"], {
        env: { ...process.env, ...markRun(mark) },
        stdin: "pipe",
        stdout: "pipe",
      });
    const [older, child] = [start(), start()];
    for (const { stdout } of [older, child]) await stdout.getReader().read(); // they run
    // Where the newest number is below the one that is asked about, they began anew since.
    for (const startedAfter of [older.pid, 2 ** 30]) {
      const found = listProcesses(mark, { startedAfter }).filter((entry) => entry.isMarked);
      expect(found.map(({ pid }) => pid)).toContain(child.pid);
    }
    expect(listProcesses(crypto.randomUUID(), { startedAfter: older.pid })).toEqual([]);
    const below = listProcesses(crypto.randomUUID(), { leaderId: child.pid });
    expect(below).toContainEqual({ pid: child.pid, parentId: process.pid, isMarked: false });
    for (const each of [older, child]) each.kill("SIGKILL");
    await Promise.all([older.exited, child.exited]);
  },
);
