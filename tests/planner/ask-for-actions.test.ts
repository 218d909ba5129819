import { describe, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { sha256 } from "../../src/core/sha256.ts";
import { systemPrompt } from "../../src/planner/prompts/prompts.ts";
import type { ProtocolVersion } from "../../src/protocol/version.ts";
import {
  createScene,
  eventsOf,
  type Line,
  never,
  PLAN,
  planIn,
  requestText,
  type Scene,
  type SceneOptions,
} from "./planner-scene.ts";

const TEXT = "one\ntwo\nthree\n";
const TWICE = "x\nsame\ny\n\nx\nsame\ny\n";

/** An answer with one action on a file as it was shown. */
function act(path: string, action: object): Line {
  return ({ messages }) => {
    const said = messages.map(({ content }) => content).join("\n");
    const base_sha256 = new RegExp(`FILE\\[${path}\\] \\(sha256=([0-9a-f]{64})`).exec(said)?.[1];
    return {
      actions: [
        { path, ...("edits" in action || "patch" in action ? { base_sha256 } : {}), ...action },
      ],
      summary: "s",
    };
  };
}

const patch = (text: string, path = "a.txt") => act(path, { kind: "PATCH_FILE", patch: text });
const edit = (anchor: string, before: string, path = "a.txt") =>
  act(path, { kind: "EDIT_FILE", edits: [{ op: "replace", anchor, before, after: "2" }] });

const MISFIT = patch("@@ -1,3 +1,3 @@\n one\n-twelve\n+2\n three\n");
const FITS = patch("@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n");
const AMBIGUOUS = patch("@@ @@\n x\n-same\n+other\n y\n", "twice.txt");
const UPDATE = act("a.txt", { kind: "UPDATE_FILE", content: "one\n2\nthree\n" });
const NO_ANCHOR = edit("four", "two");
const NO_BEFORE = edit("one", "twelve");
const TWO_ANCHORS = edit("same", "same", "twice.txt");
const EDIT_BOUNDS = edit("x".repeat(300), "two");

/** A scene whose author gives a plan and then these answers; the goal names both files. */
function sceneOf(lines: readonly Line[], version: ProtocolVersion = 2, options: SceneOptions = {}) {
  const files = { "a.txt": TEXT, "twice.txt": TWICE };
  return createScene(files, [PLAN, ...lines], { version, ...options });
}

async function prepare(scene: Scene) {
  const planId = await planIn(scene, "change a.txt and twice.txt");
  return scene.operations.preview(planId, never);
}

/** What was asked for the actions: the version of each request, "+" after a repair. */
function asked(scene: Scene): readonly string[] {
  return scene.author.asked.slice(1).map(({ version, messages }) => {
    const isRepair = messages.at(-1)?.content.startsWith("Your answer cannot be used") ?? false;
    expect(messages[0]?.content).toBe(systemPrompt(version));
    return `v${version}${isRepair ? "+" : ""}`;
  });
}

describe("askForActions()", () => {
  test.each([
    [2, "ERR_PATCH_APPLY_FAILED", MISFIT, ["v2", "v2+", "v1"]],
    [2, "ERR_PATCH_AMBIGUOUS", AMBIGUOUS, ["v2", "v2+", "v1"]],
    [2, "ERR_V2_UPDATE_EXISTING_FORBIDDEN", UPDATE, ["v2", "v2+", "v1"]],
    [3, "ERR_PATCH_APPLY_FAILED", MISFIT, ["v3", "v3+", "v1"]],
    [3, "ERR_V2_UPDATE_EXISTING_FORBIDDEN", UPDATE, ["v3", "v3+", "v1"]],
    [3, "ERR_EDIT_ANCHOR_NOT_FOUND", NO_ANCHOR, ["v3", "v3+", "v2"]],
    [3, "ERR_EDIT_BEFORE_NOT_FOUND", NO_BEFORE, ["v3", "v3+", "v2"]],
    [3, "ERR_EDIT_AMBIGUOUS", TWO_ANCHORS, ["v3", "v3+", "v2"]],
    [3, "ERR_EDIT_APPLY_FAILED", EDIT_BOUNDS, ["v3", "v2"]],
  ] as const)(
    "under v%d repairs and steps down after %s",
    async (version, reason, bad, expected) => {
      const lower = expected.at(-1) === "v1" ? UPDATE : FITS;
      const failures = expected.slice(0, -1).map(() => bad);
      using scene = sceneOf([...failures, lower], version);
      expect(await prepare(scene)).toMatchObject({ ok: true, preview: { changes: [{}] } });
      expect(asked(scene)).toEqual(expected);
      const [from, to] = [`v${version}`, expected.at(-1)];
      expect(eventsOf(scene, "PROTOCOL_FALLBACK").map(({ fields }) => fields)).toEqual([
        { from, to, reason },
      ]);
      expect(scene.traces.at(-1)).toMatchObject({
        event: "LLM_APPLY_OK",
        schema_version: Number(to?.slice(1)),
        protocol_default: version,
        protocol_attempts: [from, to],
        protocol_repair_attempt: expected.length === 3 ? 1 : 0,
        protocol_fallback_attempted: true,
        protocol_fallback_reason: reason,
        protocol_fallback_stage: reason === "ERR_EDIT_APPLY_FAILED" ? "validate" : "preview",
      });
    },
  );

  test("goes from v3 over v2 to v1 and applies what v1 gives", async () => {
    using scene = sceneOf([NO_ANCHOR, NO_ANCHOR, MISFIT, UPDATE], 3, { autonomy: "full" });
    const planId = await planIn(scene, "change a.txt");
    const outcome = await scene.operations.apply(planId, { signal: never });
    expect(outcome).toMatchObject({ status: "committed", origin: { attempts: [3, 2, 1] } });
    expect(asked(scene)).toEqual(["v3", "v3+", "v2", "v1"]);
    expect(await Bun.file(join(scene.root, "a.txt")).text()).toBe("one\n2\nthree\n");
    expect(scene.traces.at(-1)).toMatchObject({
      protocol_attempts: ["v3", "v2", "v1"],
      protocol_fallback_reason: "ERR_EDIT_ANCHOR_NOT_FOUND",
    });
  });

  test.each<[string, Line]>([
    ["is no JSON", "sorry"],
    ["does not match the schema", { actions: 1 }],
    [
      "has a wrong base_sha256",
      act("a.txt", { kind: "PATCH_FILE", patch: "@@ @@\n-two\n+2\n", base_sha256: "abc" }),
    ],
    [
      "has another fault as well",
      { actions: [{ kind: "CREATE_FILE", path: "twice.txt", content: "x" }] },
    ],
  ])("steps down for a patch that was refused although its repair %s", async (_, repaired) => {
    using scene = sceneOf([MISFIT, repaired, UPDATE]);
    expect(await prepare(scene)).toMatchObject({ ok: true, preview: { changes: [{}] } });
    expect(asked(scene)).toEqual(["v2", "v2+", "v1"]);
    expect(requestText(scene.author, 3)).toContain("FILE[a.txt]");
    expect(scene.traces.at(-1)).toMatchObject({
      protocol_fallback_reason: "ERR_PATCH_APPLY_FAILED",
    });
  });

  test("tells the lower version why it is asked, and shows the file whole", async () => {
    using scene = sceneOf([MISFIT, MISFIT, UPDATE]);
    await prepare(scene);
    const note = requestText(scene.author, 3);
    expect(note).toContain("Another form of answer was tried");
    expect(note).toContain(
      `FILE[a.txt] (sha256=${await scene.sha("a.txt")}):\n1|one\n2|two\n3|three`,
    );
  });

  test("evaluates a stored change set by the version that gave it, after a restart too", async () => {
    using scene = sceneOf([MISFIT, MISFIT, UPDATE]);
    const first = await prepare(scene);
    if (!first.ok) throw new Error(first.message);
    const { planId, changeSetId } = first.preview;
    const second = await scene.operations.preview(planId, never);
    expect(second).toMatchObject({ ok: true, attempts: [2, 1], preview: { changeSetId } });
    const options = { approved: changeSetId, signal: never };
    expect(await scene.operations.apply(planId, options)).toMatchObject({ status: "committed" });
  });

  test.each([
    [2, [MISFIT, MISFIT]],
    [3, [NO_ANCHOR, NO_ANCHOR]],
  ] as const)(
    "under v%d stays with the error when fallback_to_v1 is off",
    async (version, lines) => {
      using scene = sceneOf(lines, version, { fallback: false });
      expect(await prepare(scene)).toMatchObject({ ok: false });
      expect(asked(scene)).toEqual([`v${version}`, `v${version}+`]);
      expect(scene.traces.at(-1)).toMatchObject({
        event: "VALIDATION_FAILED",
        protocol_fallback_attempted: false,
        validated_json: { summary: "s" },
      });
    },
  );

  test("never steps down for a file that changed, whatever the version", async () => {
    for (const [version, line, code] of [
      [2, FITS, "ERR_BASE_MISMATCH"],
      [3, edit("one", "two"), "ERR_EDIT_BASE_MISMATCH"],
      [1, UPDATE, "ERR_BASE_MISMATCH"],
    ] as const) {
      using scene = sceneOf([line, line], version);
      const planId = await planIn(scene, "change a.txt");
      await Bun.write(join(scene.root, "a.txt"), `zero\n${TEXT}`);
      expect(await scene.operations.preview(planId, never)).toMatchObject({ ok: false, code });
      expect(asked(scene)).toEqual([`v${version}`]);
    }
  });

  test("names the right base_sha256 of a malformed one, and never steps down for it", async () => {
    const wrong = act("a.txt", {
      kind: "PATCH_FILE",
      patch: "@@ @@\n-two\n+2\n",
      base_sha256: "abc",
    });
    using scene = sceneOf([wrong, wrong]);
    expect(await prepare(scene)).toMatchObject({ ok: false, code: "ERR_BASE_SHA256_INVALID" });
    expect(asked(scene)).toEqual(["v2", "v2+"]);
    const repair = requestText(scene.author, 2);
    expect(repair).toContain("actions[0] a.txt: ERR_BASE_SHA256_INVALID");
    expect(repair).toContain(`use base_sha256 ${await scene.sha("a.txt")}`);
    expect(scene.traces.at(-1)).toMatchObject({
      repair_injected_sha256: true,
      repair_injected_paths: ["a.txt"],
      protocol_fallback_attempted: false,
    });
  });

  test.each([1, 2, 3] as const)(
    "asks a model that always fails under v%d at most four times",
    async (version) => {
      const bads: readonly Line[] = [
        "no JSON",
        "{",
        '{"actions": 1}',
        '{"actions": []}',
        MISFIT,
        AMBIGUOUS,
        UPDATE,
        NO_ANCHOR,
        NO_BEFORE,
        TWO_ANCHORS,
        EDIT_BOUNDS,
        { actions: [{ kind: "CREATE_FILE", path: "../x", content: "" }] },
        { actions: [{ kind: "CREATE_FILE", path: ".env", content: "" }] },
      ];
      for (const bad of bads) {
        using scene = sceneOf(
          Array.from({ length: 10 }, () => bad),
          version,
          {
            rules: { protectedPaths: ["a.txt"] },
          },
        );
        const planId = await planIn(scene, "change twice.txt");
        expect(await scene.operations.preview(planId, never)).toMatchObject({ ok: false });
        expect(asked(scene).length).toBeLessThanOrEqual(4);
      }
    },
  );

  test("asks for a plan at most four times: the answer, two rounds, a repair", async () => {
    const wants = { actions: [], context_requests: [{ type: "env" }] };
    using scene = createScene({}, ["no JSON", wants, wants, wants, wants, wants]);
    const plan = await scene.operations.plan(scene.workspace, "g", { signal: never });
    expect(plan.ok).toBe(false);
    expect(scene.author.asked).toHaveLength(4);
  });

  test("runs plans of different versions side by side", async () => {
    using scene = createScene({ "a.txt": TEXT }, [PLAN, PLAN, PLAN]);
    const versions = [1, 2, 3] as const;
    const plans = await Promise.all(
      versions.map((protocolVersion) =>
        scene.operations.plan(scene.workspace, "g", { signal: never, protocolVersion }),
      ),
    );
    expect(plans.map((plan) => plan.protocolVersion)).toEqual([1, 2, 3]);
    expect(new Set(scene.author.asked.map(({ version }) => version))).toEqual(new Set([1, 2, 3]));
    expect(scene.traces.map((trace) => trace.mode === "plan" && trace.schema_version)).toEqual(
      scene.author.asked.map(({ version }) => version),
    );
  });
});

describe("askForActions() under v1", () => {
  test("writes a shown file whole and keeps its line ends and its mark", async () => {
    const crlf = "\uFEFFone\r\ntwo\r\n";
    const whole = act("b.txt", { kind: "UPDATE_FILE", content: "one\n2\n" });
    using scene = createScene({ "b.txt": crlf }, [PLAN, whole], { version: 1, autonomy: "full" });
    const planId = await planIn(scene, "change b.txt");
    expect(await scene.operations.apply(planId, { signal: never })).toMatchObject({ ok: true });
    expect(await Bun.file(join(scene.root, "b.txt")).bytes()).toEqual(
      Buffer.from("\uFEFFone\r\n2\r\n"),
    );
  });

  test("never writes over a file that the plan did not show, or that is no text", async () => {
    const latin = Buffer.from("caf\xe9\n", "latin1");
    for (const [path, code] of [
      ["hidden.txt", "ERR_UPDATE_WITHOUT_BASE"],
      ["old.txt", "ERR_UPDATE_WITHOUT_BASE"],
    ] as const) {
      const whole = act(path, { kind: "UPDATE_FILE", content: "x" });
      const files = { "a.txt": TEXT, "hidden.txt": TEXT, "old.txt": latin };
      using scene = createScene(files, [PLAN, whole, whole], { version: 1 });
      const planId = await planIn(scene, "change a.txt and old.txt");
      expect(await scene.operations.preview(planId, never)).toMatchObject({ ok: false, code });
    }
  });

  test("is reached at once from a patch of a file that is no UTF-8, which stays as it is", async () => {
    const latin = Buffer.from("caf\xe9\n", "latin1");
    const bad = act("old.txt", {
      kind: "PATCH_FILE",
      patch: "@@ @@\n-a\n+b\n",
      base_sha256: "0".repeat(64),
    });
    const lines = [PLAN, bad, { actions: [], summary: "NO_CHANGES: it is not UTF-8" }];
    using scene = createScene({ "old.txt": latin }, lines);
    const planId = await planIn(scene, "change old.txt");
    expect(await scene.operations.preview(planId, never)).toMatchObject({
      ok: true,
      attempts: [2, 1],
    });
    expect(asked(scene)).toEqual(["v2", "v1"]);
    expect(scene.traces.at(-1)).toMatchObject({ protocol_fallback_reason: "ERR_NON_UTF8_FILE" });
  });
});

describe("askForActions() on a file that was shown in part", () => {
  const LONG = Array.from({ length: 900 }, (_, i) => `line ${i + 1}`).join("\n");
  const WHOLE = act("long.txt", { kind: "UPDATE_FILE", content: `${LONG}\nmore` });
  const PART = {
    actions: [],
    context_requests: [{ type: "read_file", path: "long.txt", start_line: 2, end_line: 9 }],
  };

  test("lets no version 1 plan write over it", async () => {
    using scene = createScene({ "long.txt": LONG }, [PART, PLAN, WHOLE, WHOLE], { version: 1 });
    const planId = await planIn(scene, "add a line");
    const outcome = await scene.operations.preview(planId, never);
    expect(outcome).toMatchObject({ ok: false, code: "ERR_UPDATE_WITHOUT_BASE" });
    expect(requestText(scene.author, 3)).toContain("only a part of it");
  });

  test("shows it whole on the way down, and applies what was previewed then", async () => {
    const misfit = act("./long.txt", {
      kind: "PATCH_FILE",
      patch: "@@ @@\n-nothing\n+x\n",
      base_sha256: sha256(LONG),
    });
    using scene = createScene({ "long.txt": LONG }, [PART, PLAN, misfit, misfit, WHOLE]);
    const planId = await planIn(scene, "add a line");
    const first = await scene.operations.preview(planId, never);
    if (!first.ok) throw new Error(first.message);
    expect(requestText(scene.author, 4)).toContain("900|line 900");
    const { changeSetId: approved } = first.preview;
    const outcome = await scene.operations.apply(planId, { approved, signal: never });
    expect(outcome).toMatchObject({ status: "committed" });
    expect(scene.author.asked).toHaveLength(5);
  });

  test("keeps what somebody wrote between two looks at it", async () => {
    const before = "one\ntwo\n";
    const look: Line = async ({ workspace }) => {
      await Bun.write(join(workspace.root, "a.txt"), "one\ntwo\nmine\n");
      return {
        actions: [],
        context_requests: [{ type: "read_file", path: "a.txt", start_line: 2, end_line: 2 }],
      };
    };
    const stale = act("a.txt", { kind: "UPDATE_FILE", content: "1\ntwo\n" });
    using scene = createScene({ "a.txt": before }, [look, PLAN, stale, stale], { version: 1 });
    const planId = await planIn(scene, "change a.txt");
    expect(await scene.operations.preview(planId, never)).toMatchObject({
      ok: false,
      code: "ERR_UPDATE_WITHOUT_BASE",
    });
  });

  test("says that a shown file is gone, instead of making it anew", async () => {
    const whole = act("a.txt", { kind: "UPDATE_FILE", content: "x" });
    using scene = createScene({ "a.txt": "one\n" }, [PLAN, whole], { version: 1 });
    const planId = await planIn(scene, "change a.txt");
    rmSync(join(scene.root, "a.txt"));
    expect(await scene.operations.preview(planId, never)).toMatchObject({
      ok: false,
      code: "ERR_BASE_MISMATCH",
    });
  });

  test("keeps LF where a model writes CRLF", async () => {
    const whole = act("a.txt", { kind: "UPDATE_FILE", content: "one\r\n2\r\n" });
    using scene = createScene({ "a.txt": "one\ntwo\n" }, [PLAN, whole], {
      version: 1,
      autonomy: "full",
    });
    await scene.operations.apply(await planIn(scene, "change a.txt"), { signal: never });
    expect(await Bun.file(join(scene.root, "a.txt")).text()).toBe("one\n2\n");
  });
});
