import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { loadConfig } from "../../src/config/load/load.ts";
import { createApp } from "../../src/daemon/app/app.ts";
import type { Operations } from "../../src/planner/operations.ts";
import { type ModelRequest, startModelServer } from "../support/model-server.ts";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";

const { signal } = new AbortController();
const SECRET = "sk-very-secret-key-1";
const PLAN = { actions: [], summary: "1. Do it" };
const MISFIT = "@@ @@\n-nothing\n+x\n";

type Answer = object | ((sha: string) => object);

/** The planner of a `config.toml` whose model gives these answers, one after another. */
async function open(
  answers: readonly Answer[],
  {
    config = "",
    provider = "",
    env = {},
  }: { config?: string; provider?: string; env?: object } = {},
) {
  const dir = tempDir();
  const model = startModelServer((request, n) => {
    const answer = answers[n] ?? { actions: [], summary: "NO_CHANGES: the script is over" };
    const document = typeof answer === "function" ? answer(shaIn(request)) : answer;
    return { kind: "text", text: JSON.stringify(document) };
  });
  const text = `[default]\nprovider = "m"\n[providers.m]\nbase_url = "${model.url}"\nmodel = "tiny"\napi_key = "${SECRET}"\n${provider}\n[[workspaces]]\nname = "w"\npath = "./w"\ncheck = false\n${config}`;
  writeTree(dir.path, { "config.toml": text, "w/a.txt": "one\ntwo\n" });
  const edge = { PAPAYU_HOME: join(dir.path, "home"), ...env };
  const loaded = await loadConfig({
    path: "config.toml",
    cwd: dir.path,
    home: dir.path,
    env: edge,
  });
  const lines: string[] = [];
  const app = createApp(loaded, { env: edge, cwd: dir.path, writeLog: (line) => lines.push(line) });
  const workspace = app.current.agent.core.workspaces.get("w");
  return {
    model,
    lines,
    operations: app.current.agent.plans.operations,
    workspace,
    read: (path: string) => Bun.file(join(workspace.root, path)).text(),
    plan: () => app.current.agent.plans.operations.plan(workspace, "change a.txt", { signal }),
    async [Symbol.asyncDispose]() {
      app[Symbol.dispose]();
      await model.stop();
      dir[Symbol.dispose]();
    },
  };
}

function shaIn({ text }: ModelRequest): string {
  return /FILE\[a\.txt\] \(sha256=([0-9a-f]{64})/.exec(text)?.[1] ?? "";
}

function patch(text: string): Answer {
  return (base_sha256) => {
    return { actions: [{ kind: "PATCH_FILE", path: "a.txt", base_sha256, patch: text }] };
  };
}

/** Plans and works the change set out. */
async function preview(scene: {
  readonly operations: Operations;
  readonly plan: () => ReturnType<Operations["plan"]>;
}) {
  const plan = await scene.plan();
  if (!plan.ok) throw new Error(plan.message);
  return scene.operations.preview(plan.planId, signal);
}

describe("createPlanner() obeys", () => {
  test("protocol.fallback_to_v1", async () => {
    const whole = { actions: [{ kind: "UPDATE_FILE", path: "a.txt", content: "1\n" }] };
    const answers = [PLAN, patch(MISFIT), patch(MISFIT), whole];
    await using on = await open(answers);
    expect(await preview(on)).toMatchObject({ ok: true, attempts: [2, 1] });
    await using off = await open(answers, { config: "[protocol]\nfallback_to_v1 = false\n" });
    expect(await preview(off)).toMatchObject({ ok: false, code: "ERR_PATCH_APPLY_FAILED" });
  });

  test("protocol.normalize_eol", async () => {
    const answers = [
      PLAN,
      { actions: [{ kind: "CREATE_FILE", path: "b.txt", content: "a\r\nb\r\n" }] },
    ];
    for (const [eol, expected] of [
      ["keep", "a\r\nb\r\n"],
      ["lf", "a\nb\n"],
    ]) {
      const config = `[protocol]\nnormalize_eol = "${eol}"\n[security]\nautonomy = "full"\n`;
      await using scene = await open(answers, { config });
      const plan = await scene.plan();
      if (plan.ok) await scene.operations.apply(plan.planId, { signal });
      expect(await scene.read("b.txt")).toBe(expected ?? "");
    }
  });

  test("protocol.version, the environment before it, and the call before both", async () => {
    await using scene = await open([PLAN, PLAN], { config: "[protocol]\nversion = 3\n" });
    expect((await scene.plan()).protocolVersion).toBe(3);
    const called = { signal, protocolVersion: 1 } as const;
    const plan = await scene.operations.plan(scene.workspace, "g", called);
    expect(plan.protocolVersion).toBe(1);
    const env = { PAPAYU_PROTOCOL_VERSION: "1", PAPAYU_PROTOCOL_DEFAULT: "2" };
    await using other = await open([PLAN], { config: "[protocol]\nversion = 3\n", env });
    expect((await other.plan()).protocolVersion).toBe(1);
  });

  test("providers.NAME.strict_json", async () => {
    for (const isStrict of [true, false]) {
      await using scene = await open([PLAN], { provider: `strict_json = ${isStrict}` });
      await scene.plan();
      expect("response_format" in (scene.model.requests[0]?.body ?? {})).toBe(isStrict);
    }
  });

  test("PAPAYU_MEMORY_AUTOPATCH, for plans and applies, and remembers no secret", async () => {
    const planned = { ...PLAN, memory_patch: { "user.preferred_style": `short, ${SECRET}` } };
    const applied = {
      ...PLAN,
      summary: "NO_CHANGES: x",
      memory_patch: { "project.package_manager": "bun" },
    };
    await using on = await open([planned, applied], { env: { PAPAYU_MEMORY_AUTOPATCH: "1" } });
    await preview(on);
    expect(JSON.parse(await on.read(".papa-yu/project.json"))).toEqual({
      "user.preferred_style": "short, [secret]",
      "project.package_manager": "bun",
    });
    expect(on.lines.join("")).toContain("MEMORY_PATCHED keys=user.preferred_style");
    await using off = await open([planned, applied]);
    await preview(off);
    expect(await Bun.file(join(off.workspace.root, ".papa-yu/project.json")).exists()).toBe(false);
  });

  test("what a secret is, in all that a plan says", async () => {
    await using scene = await open([{ ...PLAN, summary: `1. Use ${SECRET}` }]);
    expect(await scene.plan()).toMatchObject({ ok: true, summary: "1. Use [secret]" });
  });
});
