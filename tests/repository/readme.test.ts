import { expect, test } from "bun:test";
import { join } from "node:path";
import packageJson from "../../package.json" with { type: "json" };
import { COMMANDS } from "../../src/cli/commands.ts";

const ROOT = join(import.meta.dir, "../..");

test("README starts with two command lines that install and then start or test", async () => {
  const text = await Bun.file(join(ROOT, "README.md")).text();
  const [first, second] = [...text.matchAll(/^npx --yes bun@(\S+) install && npm (\S+)$/gmu)];
  const version = packageJson.dependencies.bun;
  expect([first?.[1], first?.[2]]).toEqual([version, "start"]);
  expect([second?.[1], second?.[2]]).toEqual([version, "test"]);
});

test(".ci/run runs the README's test command", async () => {
  const readme = await Bun.file(join(ROOT, "README.md")).text();
  const command = /^npx --yes bun@\S+ install && npm test$/mu.exec(readme)?.[0] ?? "missing";
  expect(await Bun.file(join(ROOT, ".ci/run")).text()).toContain(command);
});

test("README names only commands that exist", async () => {
  const text = await Bun.file(join(ROOT, "README.md")).text();
  const named = [...text.matchAll(/\bpapayu ([a-z]+)\b/gu)].map((match) => match[1] ?? "");
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((name) => COMMANDS[name] === undefined)).toEqual([]);
});

test("every script of package.json is explained in CONTRIBUTING.md", async () => {
  const text = await Bun.file(join(ROOT, "CONTRIBUTING.md")).text();
  const missing = Object.keys(packageJson.scripts).filter((name) => !text.includes(`\`${name}\``));
  expect(missing).toEqual([]);
});
