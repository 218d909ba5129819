import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DEFAULT_LIMITS } from "../../../src/system/limits.ts";
import { createSandbox } from "../../../src/system/sandbox/sandbox.ts";
import { undo } from "../../../src/transaction/undo/undo.ts";
import type { PreviewView } from "../../../src/transaction/views.ts";
import type { Workspace } from "../../../src/workspace/workspace.ts";
import { hasOverlay } from "../../support/overlay.ts";
import { tempDir } from "../../support/temp.ts";
import { readTree } from "../../support/tree.ts";
import { createScene, never, PLAN, planIn, type SceneOptions } from "../planner-scene.ts";
import { listen, sh, show, showSeen, viewScene } from "./view-scene.ts";

const MANIFEST = {
  actions: [{ kind: "CREATE_FILE", path: "package.json", content: '{"name":"a"}\n' }],
  summary: "adds package.json",
};

/** A scene whose author adds a manifest, and whose lock file is made by one script of a shell. */
function lockScene(script: string, rules: Partial<Workspace> = {}, options: SceneOptions = {}) {
  const generate = [["sh", "-c", script]];
  return viewScene({ check: "none", generate, ...rules }, options, MANIFEST);
}

/** The same with a program of the folder in npm's place. */
function npmScene(script: string, rules: Partial<Workspace> = {}) {
  const scene = lockScene("", { generate: [["./npm", "install", "--ignore-scripts"]], ...rules });
  writeFileSync(join(scene.root, "npm"), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return scene;
}

const LOCK = "sha256sum <package.json >package-lock.json";
function leftOutOf({ generation }: PreviewView): readonly string[] {
  const left = generation?.kind === "made" ? generation.leftOut : [];
  return left.map(({ kind, path }) => `${kind} ${path}`).toSorted();
}

/** A scene whose author brings a manifest and what tools would run, by their settings. */
function settingsScene(generate: readonly (readonly string[])[], files: Record<string, string>) {
  const actions = Object.entries({ "package.json": '{"name":"a"}\n', ...files }).map(
    ([path, content]) => ({ kind: "CREATE_FILE", path, content }),
  );
  return viewScene({ check: "none", generate }, {}, { actions, summary: "brings more" });
}

const pathsOf = (rows: readonly { readonly path: string }[]) => rows.map(({ path }) => path);

describe.if(hasOverlay)("a lock file that a command makes", () => {
  test("is shown, approved, written and undone with the manifest it belongs to", async () => {
    using scene = lockScene(LOCK);
    const before = readTree(scene.root);
    const { planId, preview, approved } = await show(scene);
    expect(preview.changes.map(({ path, generated }) => [path, generated])).toEqual([
      ["package-lock.json", true],
      ["package.json", undefined],
    ]);
    expect(preview.diff).toContain("+++ b/package-lock.json");
    expect(preview.generation).toMatchObject({ kind: "made", paths: ["package-lock.json"] });
    expect(preview.checked?.check.stages).toEqual([]);
    expect(readTree(scene.root)).toEqual(before);
    const outcome = await scene.operations.apply(planId, { approved, signal: never });
    expect(outcome).toMatchObject({ status: "committed", changeSetId: approved });
    expect(outcome.check).toBeUndefined();
    expect(existsSync(join(scene.root, "package-lock.json"))).toBe(true);
    const { workspace, deps } = scene;
    await undo({ workspace, signal: never, clock: deps.clock, log: deps.log });
    expect(readTree(scene.root)).toEqual(before);
  });

  test("is not made for a part of a change that needs more commands than are run", async () => {
    const folders = Array.from({ length: 21 }, (_, n) => `p${n}`);
    const files = Object.fromEntries(
      folders.map((each) => [`${each}/Cargo.toml`, '[dependencies]\na = "1"\n']),
    );
    const actions = Object.entries(files).map(([path, content]) => {
      return { kind: "CREATE_FILE", path, content };
    });
    using scene = viewScene(
      { check: "none", generate: "detect", maxActions: 50 },
      {},
      { actions, summary: "brings" },
    );
    for (const each of folders) {
      mkdirSync(join(scene.root, each));
      writeFileSync(join(scene.root, each, "Cargo.lock"), "");
    }
    const { preview } = await showSeen(scene);
    expect(preview.generation).toMatchObject({
      kind: "failed",
      reason: expect.stringContaining("needs 21 such commands and 20 at most are run"),
    });
  });

  test("is made of the manifests alone: nothing else that the change set brings is there", async () => {
    const generate = [["./npm", "install", "--ignore-scripts"]];
    using scene = settingsScene(generate, { "b/setup.js": "run me\n", "b/package.json": "{}\n" });
    const script = `#!/bin/sh\nls b >seen.txt; ${LOCK}; cat seen.txt >>package-lock.json\n`;
    writeFileSync(join(scene.root, "npm"), script, { mode: 0o755 });
    const { preview } = await show(scene);
    expect(preview.generation).toMatchObject({ kind: "made", paths: ["package-lock.json"] });
    const lock = preview.diff
      .split("diff --git")
      .find((part) => part.includes("b/package-lock.json"));
    expect(lock).toContain("+package.json");
    expect(lock).not.toContain("setup.js");
    expect(pathsOf(preview.changes)).toContain("b/setup.js");
  });

  test("by bun runs no scanner that the change set names in its settings", async () => {
    using scene = settingsScene([["bun", "install", "--lockfile-only", "--ignore-scripts"]], {
      "bunfig.toml": '[install.security]\nscanner = "./scanner.ts"\n',
      "scanner.ts": 'await Bun.write("bun.lockb", "by the model");\n',
      "b/package.json": '{"name":"b","version":"1.0.0"}\n',
      "package.json": '{"name":"a","dependencies":{"b":"file:./b"}}\n',
    });
    writeFileSync(
      join(scene.root, "bun.lock"),
      '{"lockfileVersion":1,"workspaces":{},"packages":{}}\n',
    );
    const { preview } = await show(scene);
    expect(preview.generation).toMatchObject({ kind: "made", paths: ["bun.lock"], leftOut: [] });
    expect(preview.diff).toContain('"b@file:b"');
  });

  test("is made by tools of two kinds, one after the other, or not at all", async () => {
    const npm = ["./npm", "install", "--ignore-scripts"];
    const sources = ["./cargo", "update", "--workspace"];
    for (const [end, made] of [
      ["", true],
      ["exit 5", false],
    ] as const) {
      using scene = settingsScene([sources, npm], { "src/lib.rs": "", "Cargo.toml": "" });
      const program = (script: string) => `#!/bin/sh\n${script}\n`;
      writeFileSync(join(scene.root, "npm"), program(LOCK), { mode: 0o755 });
      const cargo = `cat src/lib.rs package-lock.json >Cargo.lock; ${end}`;
      writeFileSync(join(scene.root, "cargo"), program(cargo), { mode: 0o755 });
      const { preview } = await show(scene);
      const paths = ["Cargo.lock", "package-lock.json"];
      expect(preview.generation).toMatchObject(
        made ? { kind: "made", paths } : { kind: "failed", command: sources.join(" ") },
      );
      const generated = preview.changes.filter((change) => change.generated === true);
      expect(pathsOf(generated)).toEqual(made ? paths : []);
      expect(pathsOf(preview.changes).includes("package-lock.json")).toBe(made);
    }
  });

  test("is there for the checks, and its command runs once for one question and its answer", async () => {
    const check = sh("sha256sum <package.json | cmp - package-lock.json");
    using scene = lockScene(LOCK, check);
    const { begun: ran, onProgress } = listen();
    const planId = await planIn(scene);
    const shown = await scene.operations.preview(planId, never, onProgress);
    const approved = shown.ok ? shown.preview.changeSetId : "";
    const outcome = await scene.operations.apply(planId, {
      approved,
      signal: never,
      onProgress,
    });
    expect(outcome).toMatchObject({ status: "committed", check: { ok: true } });
    expect(ran).toEqual([`sh -c ${LOCK}`, `sh -c ${check.check?.[0]?.[2]}`]);
  });

  test("comes with what keep names, whoever of the two commands wrote it", async () => {
    const keep = ["*.gen"];
    using scene = lockScene(`${LOCK}; echo 1 >a.gen`, {
      ...sh("echo 2 >>a.gen; echo 3 >b.gen"),
      keep,
    });
    const { planId, preview, approved } = await show(scene);
    expect(pathsOf(preview.changes)).toEqual([
      "a.gen",
      "b.gen",
      "package-lock.json",
      "package.json",
    ]);
    await scene.operations.apply(planId, { approved, signal: never });
    expect(await Bun.file(join(scene.root, "a.gen")).text()).toBe("1\n2\n");
  });

  test("voids the yes when it came out as another one meanwhile", async () => {
    using scene = lockScene("cat counter >package-lock.json");
    const { planId, approved } = await show(scene);
    writeFileSync(join(scene.root, "counter"), "other\n");
    const outcome = await scene.operations.apply(planId, { approved, signal: never });
    expect(outcome).toMatchObject({ errorCode: "ERR_CHANGE_SET_STALE", touched: false });
  });

  test("is made by nobody for a change set without a manifest, and with generate = false", async () => {
    using other = viewScene({ check: "none", generate: [["sh", "-c", LOCK]] });
    expect((await show(other)).preview.generation).toBeUndefined();
    using none = lockScene(LOCK, { generate: "none" });
    expect((await show(none)).preview).toMatchObject({ changes: [{ path: "package.json" }] });
  });
});

describe.if(hasOverlay)("what such a command does besides", () => {
  test("is told and left out, and no check sees it", async () => {
    const check = sh("test -f a.txt && test ! -e stray && grep -q name package.json");
    using scene = npmScene(
      `${LOCK}; echo '{}' >package.json; echo 1 >yarn.lock; rm a.txt; echo x >stray`,
      check,
    );
    const { planId, preview, approved } = await show(scene);
    expect(preview.checked).toMatchObject({ check: { ok: true }, sideEffects: [] });
    expect(pathsOf(preview.changes)).toEqual(["package-lock.json", "package.json"]);
    expect(leftOutOf(preview)).toEqual([
      "create stray",
      "create yarn.lock",
      "delete a.txt",
      "update package.json",
    ]);
    await scene.operations.apply(planId, { approved, signal: never });
    expect(await Bun.file(join(scene.root, "package.json")).text()).toBe('{"name":"a"}\n');
    expect(existsSync(join(scene.root, "a.txt"))).toBe(true);
  });

  test("is no part of it, whatever it is: a link, a secret, a name with hidden characters", async () => {
    const script = `${LOCK}; ln -s /etc/passwd link; echo s >.env; echo x >"$(printf 'a\\342\\200\\256b')"`;
    using scene = lockScene(script, { keep: ["**"] });
    const { preview } = await show(scene);
    expect(pathsOf(preview.changes)).toEqual(["package-lock.json", "package.json"]);
    expect(leftOutOf(preview)).toHaveLength(3);
  });

  test("reaches nothing outside of the view", async () => {
    using outside = tempDir();
    const script = `${LOCK}; echo x >${outside.path}/x; ls -A ~ >home.gen; exit 0`;
    using scene = lockScene(script, { keep: ["*.gen"] });
    const { preview } = await show(scene);
    expect(readTree(outside.path)).toEqual({});
    expect(preview.diff).not.toContain(".ssh");
    expect(preview.generation).toMatchObject({ kind: "made" });
  });
});

const BINARY = "printf 'a\\000b' >package-lock.json";

describe.if(hasOverlay)("a lock file that is not made", () => {
  test.each([
    ["its command fails", "echo 'npm error code ENOTCACHED'; echo log; exit 7", /^npm error code/u],
    ["its command says nothing", "exit 7", /^exit 7$/u],
    ["its command is not there", undefined, /not found/u],
    ["it is deleted", "rm -f package-lock.json", /deleted package-lock\.json/u],
    ["it is a link", "ln -sf a.txt package-lock.json", /package-lock\.json fits in no change set/u],
    ["it is a folder", "rm package-lock.json; mkdir package-lock.json", /package-lock\.json/u],
    ["it is too large", "head -c 9000000 /dev/zero >package-lock.json", /fits in no change set/u],
    [
      "its command changes too much",
      `${LOCK}; mkdir m; cd m; seq 2100 | xargs touch`,
      /more than/u,
    ],
  ])("when %s: it is said, and a person may approve anyway", async (_, script, reason) => {
    const generate = script === undefined ? [["npm-of-nobody"]] : [["sh", "-c", script]];
    using scene = lockScene("", { generate }, { autonomy: "full" });
    writeFileSync(join(scene.root, "package-lock.json"), "old\n");
    const { planId, preview, approved } = await show(scene);
    expect(preview.generation).toMatchObject({
      kind: "failed",
      command: generate[0]?.join(" "),
      reason: expect.stringMatching(reason),
      hosts: [],
    });
    expect(pathsOf(preview.changes)).toEqual(["package.json"]);
    const asked = await scene.operations.apply(planId, { signal: never, isRoutine: true });
    expect(asked).toMatchObject({ errorCode: "CONFIRM_REQUIRED", touched: false });
    const outcome = await scene.operations.apply(planId, { approved, signal: never });
    expect(outcome).toMatchObject({ status: "committed", generation: { kind: "failed" } });
    expect(await Bun.file(join(scene.root, "package-lock.json")).text()).toBe("old\n");
  });

  test.each([
    ["hangs", "sleep 600 & sleep 600", { checkTimeoutMs: 700 }, /timed out after 0\.7 s/u],
    ["hangs behind its end", "sleep 600 & exit 3", {}, /exit 3/u],
  ])("when its command %s", async (_, script, rules, reason) => {
    using scene = lockScene(script, rules);
    const { preview } = await show(scene);
    expect(preview.generation).toMatchObject({ reason: expect.stringMatching(reason) });
  });

  test.each([
    ["processes", "for i in $(seq 70); do sleep 600 & done; wait", { maxProcesses: 60 }],
    [
      "disk",
      "mkdir node_modules; for i in $(seq 20); do head -c 4000000 /dev/zero >node_modules/$i; done; sleep 9",
      { maxDiskBytes: 16 * 2 ** 20 },
    ],
  ])("when its command uses up too much: %s", async (kind, script, limits) => {
    const sandbox = createSandbox({
      mode: "bwrap",
      env: process.env,
      hidden: [],
      limits: { ...DEFAULT_LIMITS, ...limits },
    });
    using scene = lockScene(script, {}, { sandbox });
    const { preview } = await show(scene);
    const reason = expect.stringContaining(`max_${kind === "disk" ? "disk_mb" : "processes"}`);
    expect(preview.generation).toMatchObject({ kind: "failed", reason });
  });

  test("asks anew when that is not what was said yes to", async () => {
    using scene = lockScene("test ! -s counter");
    const { planId, approved } = await show(scene);
    writeFileSync(join(scene.root, "counter"), "changed\n");
    const outcome = await scene.operations.apply(planId, { approved, signal: never });
    expect(outcome).toMatchObject({ errorCode: "CONFIRM_REQUIRED", touched: false });
    expect(outcome.preview?.generation).toMatchObject({ kind: "failed" });
  });

  test("has no secret in the reason that is told", async () => {
    using scene = lockScene("echo 'error: token hunter2'; exit 1");
    const { preview } = await show(scene);
    expect(preview.generation).toMatchObject({ reason: "error: token [masked]" });
  });

  test.each([
    ["check_when = after", { checkWhen: "after" }, {}],
    ["a network for checks", { checkNetwork: true }, {}],
    ["no view", {}, { sandbox: async () => ({ kind: "none", reason: "a test" }) as const }],
    ["readonly", {}, { autonomy: "readonly" }],
  ] as const)("with %s is left to the person, and that is said", async (_, rules, options) => {
    using scene = lockScene(LOCK, rules, options);
    const { planId, preview, approved } = await show(scene);
    const generation = { kind: "skipped", commands: [`sh -c ${LOCK}`] } as const;
    expect(preview).toMatchObject({ generation, changes: [{ path: "package.json" }] });
    const outcome = await scene.operations.apply(planId, { approved, signal: never });
    expect(outcome.ok ? outcome.generation : generation).toEqual(generation);
    expect(existsSync(join(scene.root, "package-lock.json"))).toBe(false);
  });
});

test.if(hasOverlay)("a lock file may be bytes that are no text", async () => {
  using scene = lockScene(BINARY);
  const { planId, preview, approved } = await show(scene);
  expect(preview.diff).toContain("Binary files /dev/null and b/package-lock.json differ");
  await scene.operations.apply(planId, { approved, signal: never });
  const bytes = await Bun.file(join(scene.root, "package-lock.json")).bytes();
  expect([...bytes]).toEqual([97, 0, 98]);
});

test.if(hasOverlay)("no author writes a lock file, not even where a command makes it", async () => {
  const actions = [{ kind: "CREATE_FILE", path: "package-lock.json", content: "{}" }];
  const generate = [["sh", "-c", LOCK]];
  const answer = { actions, summary: "locks" };
  using scene = createScene({}, [PLAN, answer, answer], { rules: { check: "none", generate } });
  const planId = await planIn(scene);
  const shown = await scene.operations.preview(planId, never);
  expect(shown).toMatchObject({ ok: false, code: "ERR_PROTECTED_PATH" });
});

describe.if(hasOverlay)("generate_hosts", () => {
  const GET = (url: string) =>
    `bun -e 'process.exit((await fetch("${url}")).ok ? 0 : 9)' && ${LOCK}`;

  test.each([
    ["asks for another host", ["registry.example.com", ".example.org"]],
    ["asks for one, and none is named", []],
  ])("is reported when a command %s, and the lock file is not made", async (_, generateHosts) => {
    using scene = npmScene(GET("http://evil.example.com/"), { generateHosts });
    const { preview } = await show(scene);
    const generation = { kind: "failed", hosts: ["evil.example.com"], programs: [] };
    expect(preview.generation).toMatchObject(generation);
    expect(pathsOf(preview.changes)).toEqual(["package.json"]);
  });

  test("names the way out in every tool's words, and nothing else of a network is there", async () => {
    const script = `env | sort >env.gen; cat /proc/net/route >route.gen; ${LOCK}`;
    using scene = npmScene(script, { generateHosts: ["registry.example.com"], keep: ["*.gen"] });
    const { preview } = await show(scene);
    const added = preview.diff.split("\n").filter((line) => /^\+[^+]/u.test(line));
    const of = (name: string) => added.find((line) => line.startsWith(`+${name}=`));
    for (const name of ["HTTPS_PROXY", "http_proxy", "npm_config_proxy"]) {
      expect(of(name)).toBe(`+${name}=http://127.0.0.1:3128`);
    }
    expect(of("npm_config_offline")).toBeUndefined();
    expect(of("CARGO_HOME")).toEndWith("/.papa-yu/cache/cargo-home");
    expect(added.filter((line) => line.includes("\t"))).toHaveLength(1); // the heading of routes
  });

  test("opens nothing for a command that runs what the change set changes", async () => {
    const actions = [{ kind: "CREATE_FILE", path: "Gemfile", content: "puts 1\n" }];
    const generate = [["sh", "-c", "env | grep -q proxy && exit 0; echo no network; exit 1"]];
    const rules = {
      check: "none",
      generate: [["bundle", "lock"]],
      generateHosts: ["gems.example.com"],
    } as const;
    using scene = viewScene(rules, {}, { actions, summary: "adds a Gemfile" });
    const { preview } = await show(scene);
    expect(preview.generation).toMatchObject({ kind: "failed", hosts: [], programs: ["Gemfile"] });
    using other = viewScene({ ...rules, generate }, {}, { actions, summary: "adds a Gemfile" });
    const closed = { kind: "failed", programs: ["Gemfile"] }; // whatever it starts may run that
    expect((await show(other)).preview.generation).toMatchObject(closed);
    const cargo = [{ kind: "CREATE_FILE", path: "Cargo.toml", content: "[package]\n" }];
    using harmless = viewScene({ ...rules, generate }, {}, { actions: cargo, summary: "adds one" });
    expect((await show(harmless)).preview.generation?.kind).toBe("made");
  });

  test("is nothing unless it is set: tools are told that they are offline", async () => {
    using scene = lockScene(
      `test -z "$http_proxy" && test "$npm_config_offline" = true && ${LOCK}`,
    );
    expect((await show(scene)).preview.generation).toMatchObject({ kind: "made" });
  });
});
