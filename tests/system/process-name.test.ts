import { expect, test } from "bun:test";
import { isNamedRunning, nameProcess } from "../../src/system/process-name.ts";

test("isNamedRunning() knows another process until it ends, by more than its id", async () => {
  const script = `import { nameProcess } from "${import.meta.dir}/../../src/system/process-name.ts";
    console.log(nameProcess()); await Bun.stdin.text();`;
  const child = Bun.spawn(["bun", "-e", script], { stdin: "pipe", stdout: "pipe" });
  const { value } = await child.stdout.getReader().read();
  const name = new TextDecoder().decode(value).trim();
  expect(isNamedRunning(name)).toBe(true);
  expect(isNamedRunning(`${child.pid}-1-${name.slice(-8)}`)).toBe(false);
  await child.stdin.end();
  await child.exited;
  expect(isNamedRunning(name)).toBe(false);
});

test("isNamedRunning() does not count this process, nor a name that is none", () => {
  expect(isNamedRunning(nameProcess())).toBe(false);
  expect(isNamedRunning("rubbish")).toBe(false);
});
