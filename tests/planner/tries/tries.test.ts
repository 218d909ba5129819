import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { gradeOf, type Tries, type TryOptions } from "../../../src/planner/tries/tries.ts";
import type { Step } from "../../../src/transaction/views.ts";
import { hasOverlay } from "../../support/overlay.ts";
import { readTree, writeTree } from "../../support/tree.ts";
import { act, append, fixScene, NOTHING, wants } from "../correct/fix-scene.ts";
import {
  bindOperations,
  type Line,
  never,
  PLAN,
  planIn,
  reasonOf,
  type Scene,
  type SceneOptions,
  scriptedAuthor,
} from "../planner-scene.ts";
import { listen } from "../verify/view-scene.ts";

const GOAL = "do it";

/** An answer that writes these lines into docs/new.md. */
const write = (...lines: readonly string[]): Line =>
  act({ kind: "CREATE_FILE", path: "docs/new.md", content: `${lines.join("\n")}\n` });

/** A scene whose authors each plan, and then say what is theirs. */
function ways(
  [first = [], ...others]: readonly (readonly Line[])[],
  options: SceneOptions = {},
  rules = wants("good"),
) {
  const [answer = NOTHING, ...corrections] = first;
  const scene = fixScene(rules, corrections, { maxFixRounds: 0, ...options }, answer);
  const authors = others.map((lines) => scriptedAuthor(PLAN, ...lines));
  const operations = bindOperations(scene.deps, authors);
  const run = (own: Partial<TryOptions> = {}, goal = GOAL) =>
    operations.tryWays(scene.workspace, goal, authors.length + 1, { signal: never, ...own });
  return Object.assign(scene, { authors, run });
}

/** Grade and size of each, in the order in which they are shown. */
function told({ order }: Tries) {
  return order.map(({ end }) => {
    const shown = end.kind === "changes" ? end.preview : undefined;
    const lines = shown?.changes.reduce((sum, { added }) => sum + added, 0);
    return [gradeOf(end), ...(lines === undefined ? [] : [lines])].join(" ");
  });
}

const firstOf = ({ order }: Tries) => {
  const end = order[0]?.end;
  if (end?.kind !== "changes") throw new Error("the first has no change set");
  return end.preview;
};

const viewsOf = ({ deps }: Scene) =>
  existsSync(deps.viewsDir) ? readdirSync(deps.viewsDir).filter((name) => /^\d+-/u.test(name)) : [];

describe.if(hasOverlay)("of several ways to a goal", () => {
  test("the smallest whose checks pass comes first, and any of them can be applied", async () => {
    using scene = ways([
      [write("1", "2", "good")],
      [write("bad")],
      [write("1", "good")],
      [write("2", "good")],
    ]);
    const before = readTree(scene.root);
    const tries = await scene.run();
    expect(tries.basis).toBe("checks");
    expect(told(tries)).toEqual(["green 2", "green 2", "green 3", "red 1"]);
    expect(firstOf(tries).diff).toContain("+1\n+good\n"); // of equals the first
    expect(readTree(scene.root)).toEqual(before);
    expect(viewsOf(scene)).toEqual([]);
    const other = tries.order[2]?.end.plan;
    if (!other?.ok) throw new Error("no plan");
    const { operations } = scene;
    const shown = await operations.preview(other.planId, never);
    if (!shown.ok) throw new Error(shown.message);
    expect(shown.preview.diff).toContain("+1\n+2\n+good\n");
    const approved = shown.preview.changeSetId;
    const applied = await operations.apply(other.planId, { approved, signal: never });
    expect(applied).toMatchObject({ status: "committed", check: { ok: true } });
    const asked = [scene.author, ...scene.authors].map((author) => author.asked.length);
    expect(asked).toEqual([2, 2, 2, 2]);
  });

  test("each is corrected by its own author before they are compared", async () => {
    using scene = ways(
      [
        [write("bad"), append("worse")],
        [write("1", "bad"), append("good", 3)],
      ],
      {
        maxFixRounds: 1,
      },
    );
    const tries = await scene.run();
    expect(told(tries)).toEqual(["green 3", "red 2"]);
    expect(firstOf(tries).checked).toMatchObject({ fixRounds: 1 });
    expect([scene.author, ...scene.authors].map(({ asked }) => asked.length)).toEqual([3, 3]);
  });

  test("the one that failed least comes first when none passes", async () => {
    const rules = {
      check: [
        ["sh", "-c", "! grep -qs one docs/new.md"],
        ["sh", "-c", "! grep -qs . docs/new.md"],
      ],
    };
    using scene = ways([[write("one")], [write("1", "2")], [write("1")]], {}, rules);
    const tries = await scene.run();
    expect(told(tries)).toEqual(["red 1", "red 2", "red 1"]);
    expect(firstOf(tries).diff).not.toContain("one");
    expect(firstOf(tries).checked?.check.stages).toHaveLength(2);
  });

  test("one that fails as the folder does without it comes before one that breaks more", async () => {
    const script =
      "echo 'not ok 1 - old'; grep -qs bad docs/new.md && echo 'not ok 2 - new'; exit 1";
    using scene = ways([[write("bad")], [write("1", "2")]], {}, { check: [["sh", "-c", script]] });
    expect(told(await scene.run())).toEqual(["excused 2", "red 1"]);
  });

  test("those that are the same are checked and told once", async () => {
    const rules = { check: [["sh", "-c", "echo x >> counter; test $(wc -l < counter) -eq 1"]] };
    using scene = ways([[write("1")], [write("1")], [write("1", "2")], [write("1")]], {}, rules);
    const { begun: checks, onProgress } = listen();
    const tries = await scene.run({ onProgress });
    expect(told(tries)).toEqual(["green 1", "green 2"]);
    expect(tries.order.map(({ same }) => same.length)).toEqual([2, 0]);
    expect(checks).toHaveLength(2);
    const first = tries.order.map(({ end }) => (end.plan?.ok ? end.plan.planId : ""));
    const ids = first.concat(tries.order.flatMap(({ same }) => same.map(({ planId }) => planId)));
    expect(new Set(ids).size).toBe(4);
    for (const id of ids) expect(scene.plans.loadPlan(id)?.planId).toBe(id);
  });

  test("one that says nothing has to change, or fails, takes no place from a change", async () => {
    using scene = ways([[NOTHING], ["no JSON"], [write("bad")], [write("good")]]);
    const tries = await scene.run();
    expect(told(tries)).toEqual(["green 1", "red 1", "nothing", "failed"]);
    const last = tries.order.at(-1)?.end;
    expect(last).toMatchObject({ kind: "failed", plan: { ok: true }, code: "LLM_REQUEST" });
  });

  test.each([
    ["a check is not allowed before a yes", { checkWhen: "after" }, {}, "no view"],
    ["there is no sandbox", {}, { sandbox: async () => NO_SANDBOX }, "no view"],
    ["nothing may be run", {}, { autonomy: "readonly" }, "no view"],
    ["there is nothing to check with", { check: "none" }, {}, "no checks"],
  ] as const)("the smallest comes first where %s", async (_, rules, options, basis) => {
    using scene = ways([[write("1", "2")], [write("1")]], options, { ...wants("good"), ...rules });
    const tries = await scene.run();
    expect(tries.basis).toBe(basis);
    expect(told(tries)).toEqual(["unchecked 1", "unchecked 2"]);
  });

  test("the smallest comes first where nobody has seen what was found, and nothing of that runs", async () => {
    using scene = ways([[write("1", "2")], [write("1")]], {}, { check: "detect" });
    const scripts = { test: "exit 1" };
    writeTree(scene.root, { "package.json": JSON.stringify({ scripts }) });
    const { begun: ran, onProgress } = listen();
    const tries = await scene.run({ onProgress });
    expect(tries.basis).toBe("unseen");
    expect(told(tries)).toEqual(["unchecked 1", "unchecked 2"]);
    expect(firstOf(tries)).toMatchObject({ unseen: "before", checks: [{}] });
    expect(ran).toEqual([]);
  });

  test("all are asked side by side, and checked one after another", async () => {
    let asked = 0;
    const all = Promise.withResolvers<void>();
    const together = (...lines: readonly string[]): Line => {
      return async () => {
        if (++asked === 3) all.resolve();
        await all.promise; // in turns nobody would ever be answered
        return { actions: [{ kind: "CREATE_FILE", path: "docs/new.md", content: lines.join("") }] };
      };
    };
    using scene = ways([[together("good\n")], [together("2\ngood\n")], [together("3\ngood\n")]]);
    const most: number[] = [];
    const onProgress = (step: Step) => void (isCheck(step) && most.push(viewsOf(scene).length));
    const tries = await scene.run({ onProgress });
    expect(told(tries)).toEqual(["green 1", "green 2", "green 2"]);
    expect(most).toEqual([1, 1, 1]);
  });

  test("a cancel ends all of them, and leaves whole plans and no view", async () => {
    const stop = new AbortController();
    const cancelled = new Error("cancelled");
    const until = Promise.withResolvers<never>();
    const waits: Line = ({ signal }) => {
      signal.addEventListener("abort", () => until.reject(signal.reason));
      return until.promise;
    };
    using scene = ways(
      [[write("good")], [waits], [write("1", "good")]],
      {},
      {
        check: [["sh", "-c", "sleep 600"]],
      },
    );
    const onProgress = (step: Step) => void (isCheck(step) && stop.abort(cancelled));
    const reason = reasonOf(scene.run({ signal: stop.signal, onProgress }));
    expect(await reason).toBe(cancelled);
    expect(viewsOf(scene)).toEqual([]);
    expect(existsSync(`${scene.root}/docs`)).toBe(false);
  });
});

/** A check begins; files of the folder are counted as well. */
function isCheck(step: Step): boolean {
  return typeof step === "string" || "check" in step;
}

const NO_SANDBOX = { kind: "none", reason: "a test" } as const;

test("a goal that none can plan is refused as a single plan is", async () => {
  using scene = ways([[], []]);
  const tried = reasonOf(scene.run({}, " "));
  const planned = await reasonOf(planIn(scene, " "));
  expect(await tried).toMatchObject({ code: "ERR_USAGE" });
  expect(String(await tried)).toBe(String(planned));
});
