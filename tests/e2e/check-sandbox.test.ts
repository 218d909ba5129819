import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { hasBubblewrap } from "../support/bubblewrap.ts";
import { papayuProgram } from "../support/papayu-program.ts";
import { until } from "../support/patience.ts";
import { areGone, findProcesses } from "../support/processes.ts";
import { tempDir } from "../support/temp.ts";
import { readTree, writeTree } from "../support/tree.ts";
import { createSandbox, type Sandbox } from "./papayu.ts";

const APPLY = ["apply", "--goal", "add what a newcomer would miss", "-w", "notes", "--yes"];

function prepare(dir: string, mode: string, script: string, env = {}): Sandbox {
  writeTree(join(dir, "notes"), { "a.txt": "x\n" });
  const check = JSON.stringify([["/bin/sh", "-c", script]]);
  const security = `[security]\nsandbox = "${mode}"\n`;
  const workspace = `[[workspaces]]\nname = "notes"\npath = "./notes"\ncheck = ${check}\ncheck_when = "after"\n`;
  return createSandbox(dir, security + workspace, env);
}

async function lookAt(sandbox: Sandbox): Promise<unknown> {
  const { exitCode, stdout } = await sandbox.run("doctor", "--json");
  const { findings }: { findings: readonly { name: string }[] } = JSON.parse(stdout);
  return { exitCode, ...findings.find(({ name }) => name === "sandbox") };
}

const nowhere = { PATH: "/nowhere" };
const cases: readonly (readonly [string, object, string, string, string])[] = [
  ["auto", {}, "bwrap", "no network", "ok"],
  ["bwrap", {}, "bwrap", "no network", "ok"],
  ["none", {}, "none", "switched off", "ok"],
  ["auto", nowhere, "none", "bubblewrap is not installed", "warning"],
];

describe.if(process.platform === "linux")("security.sandbox", () => {
  const possible = cases.filter(([, , kind]) => kind === "none" || hasBubblewrap);

  test.each(possible)("%s with %p runs checks in %s: %s", async (mode, env, kind, note, state) => {
    using dir = tempDir();
    const papayu = prepare(dir.path, mode, "exit 0", env);
    expect(await papayu.json(...APPLY)).toMatchObject({
      exitCode: 0,
      report: { status: "committed", check: { ok: true, sandbox: kind, sandbox_note: note } },
    });
    expect(await lookAt(papayu)).toMatchObject({ exitCode: 0, state });
  });

  test("bwrap where there is none refuses the apply before anything is touched", async () => {
    using dir = tempDir();
    const papayu = prepare(dir.path, "bwrap", "exit 0", nowhere);
    const before = readTree(dir.path);
    expect(await papayu.json(...APPLY)).toMatchObject({
      exitCode: 1,
      report: { ok: false, status: "rejected", error_code: "ERR_SANDBOX" },
    });
    expect(readTree(join(dir.path, "notes"))).toEqual({ "a.txt": before["notes/a.txt"] ?? "" });
    expect(await lookAt(papayu)).toMatchObject({ exitCode: 1, state: "failed" });
  });
});

describe.if(process.platform === "linux")("a check that kill -9 of papa-yu leaves behind", () => {
  /** Kills it once the check runs. */
  async function crash(papayu: Sandbox): Promise<void> {
    const main = papayuProgram();
    const { dir: cwd, env } = papayu;
    const stdio = ["ignore", "ignore", "ignore"] as const;
    const child = Bun.spawn([process.execPath, main, ...APPLY], { cwd, env, stdio: [...stdio] });
    const begun = Bun.file(join(cwd, "notes/.papa-yu/cache/begun"));
    await until(() => begun.exists());
    child.kill("SIGKILL");
    await child.exited;
  }

  const scriptOf = (name: string) =>
    `setsid sh -c 'trap "" TERM HUP; touch .papa-yu/cache/begun; sleep 600; ${name}'`;

  test.if(hasBubblewrap)("dies with it in bubblewrap", async () => {
    using dir = tempDir();
    const name = crypto.randomUUID();
    await crash(prepare(dir.path, "bwrap", scriptOf(name)));
    expect(await areGone(name)).toBe(true);
  });

  test("is ended by the recovery without bubblewrap", async () => {
    using dir = tempDir();
    const name = crypto.randomUUID();
    const papayu = prepare(dir.path, "none", scriptOf(name));
    const before = readTree(join(dir.path, "notes"));
    await crash(papayu);
    expect(findProcesses(name)).not.toEqual([]);
    expect(await papayu.run("recover")).toMatchObject({ exitCode: 0 });
    expect(await areGone(name)).toBe(true);
    expect(readTree(join(dir.path, "notes"))).toEqual(before);
  });
});
