import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { isNamedRunning, nameProcess } from "../../src/system/processes/process-name.ts";
import { until } from "../support/patience.ts";

test("isNamedRunning() knows another process until it ends, by more than its id", async () => {
  const script = `import { nameProcess } from "${import.meta.dir}/../../src/system/processes/process-name.ts";
    console.log(nameProcess()); await Bun.stdin.text();`;
  const child = Bun.spawn([process.execPath, "-e", script], { stdin: "pipe", stdout: "pipe" });
  const { value } = await child.stdout.getReader().read();
  const name = new TextDecoder().decode(value).trim();
  expect(isNamedRunning(name)).toBe(true);
  expect(isNamedRunning(`${child.pid}-1-${name.slice(-8)}`)).toBe(false);
  await child.stdin.end();
  await child.exited;
  expect(isNamedRunning(name)).toBe(false);
});

test.if(process.platform === "linux")("isNamedRunning() does not count a zombie", async () => {
  const script = "sleep 100 & echo $!; exec sleep 100"; // who never asks how its child ended
  const parent = Bun.spawn(["sh", "-c", script], { stdout: "pipe" });
  const { value } = await parent.stdout.getReader().read();
  const pid = new TextDecoder().decode(value).trim();
  const stat = () => readFileSync(`/proc/${pid}/stat`, "latin1").split(") ")[1]?.split(" ") ?? [];
  const boot = readFileSync("/proc/sys/kernel/random/boot_id", "latin1").slice(0, 8);
  const name = `${pid}-${stat()[19]}-${boot}`;
  expect(isNamedRunning(name)).toBe(true);
  await until(() => readFileSync(`/proc/${parent.pid}/comm`, "latin1") === "sleep\n");
  process.kill(Number(pid));
  await until(() => stat()[0] === "Z");
  expect(isNamedRunning(name)).toBe(false);
  parent.kill();
  await parent.exited;
});

test("isNamedRunning() does not count this process, nor a name that is none", () => {
  expect(isNamedRunning(nameProcess())).toBe(false);
  expect(isNamedRunning("rubbish")).toBe(false);
});
