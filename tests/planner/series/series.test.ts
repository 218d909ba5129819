import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { renderOutcome } from "../../../src/channels/render-text.ts";
import { textsIn as wordsIn } from "../../../src/texts/texts.ts";
import { readHistory } from "../../../src/transaction/journal/history.ts";
import type { Step } from "../../../src/transaction/views.ts";
import { viewSandbox } from "../../support/overlay.ts";
import { readTree } from "../../support/tree.ts";
import { bindOperations, createScene, eventsOf, never } from "../planner-scene.ts";
import {
  correctedScene,
  GOAL,
  lookAgain,
  NEEDS_A_FILE,
  projectOf,
  RENAME,
  renameScene,
  renames,
  shownIn,
  showSeries,
  textsIn,
  withCommits,
} from "./series-scene.ts";

const DONE = projectOf(30, "loadUser");
const BEFORE = projectOf(30);
const ALL = Object.keys(BEFORE);

describe("a plan over more files than one request can show", () => {
  test("is asked part by part, shown once, approved once and made in order", async () => {
    using scene = renameScene(30, 4);
    const before = readTree(scene.root);
    const { plan, planId, preview, approved } = await showSeries(scene);
    expect(plan).toMatchObject({ row: { files: 31, parts: 4, mostRequests: 16 } });
    expect(readTree(scene.root)).toEqual(before);
    expect(preview.changes).toHaveLength(31);
    expect(preview.row?.done).toBe(0);
    expect(preview.row?.parts.map(({ changes }) => changes)).toEqual([10, 10, 10, 1]);
    expect(preview.row?.parts[0]).toMatchObject({
      summary: "renames fetchUser in 10 files",
      added: 19,
      removed: 19,
    });
    const outcome = await scene.operations.apply(planId, { approved, signal: never });
    expect(outcome).toMatchObject({ ok: true, status: "committed", changeSetId: approved });
    expect(outcome.row?.parts.map(({ status }) => status)).toEqual(Array(4).fill("committed"));
    expect(textsIn(scene, ALL)).toEqual(DONE);
    const history = readHistory(scene.workspace);
    expect(history.map(({ summary }) => summary)).toEqual(
      [1, 2, 3, 4].map((number) => `${GOAL} (${number}/4)`),
    );
    expect(history.map(({ changeSetId }) => changeSetId)).toEqual(
      preview.row?.parts.map(({ changeSetId }) => changeSetId) ?? [],
    );
  });

  test("shows each file once, whole, and tells each part what those before it came to", async () => {
    using scene = renameScene(30, 4);
    await showSeries(scene);
    const [planned, ...parts] = scene.author.asked;
    expect(planned?.messages.at(-1)?.content).toContain('"fetchUser" stands in 31 files');
    const shown = parts.map((request) => [...shownIn(request).keys()]);
    expect(shown.flat().toSorted()).toEqual(
      ALL.filter((path) => path !== "package.json").toSorted(),
    );
    const last = parts[3]?.messages.map(({ content }) => content).join("\n") ?? "";
    expect(last).toContain("this is part 4");
    expect(last).toContain("3. renames fetchUser in 10 files");
    // What a part is shown does not grow with what was shown before.
    const sizes = parts.map(({ messages }) => JSON.stringify(messages).length);
    expect(Math.max(...sizes)).toBeLessThan(2 * Math.min(...sizes.slice(0, 3)));
  });

  test("renames in 160 files under the default limits, each of them sent once", async () => {
    const rename = renames("fetchUser", "loadUser");
    using scene = createScene(projectOf(160), [RENAME, ...Array(10).fill(rename)]);
    const parts = { ...scene.deps, limits: { ...scene.deps.limits, maxFiles: 30 } };
    const operations = bindOperations(parts);
    const { plan, planId, preview, approved } = await showSeries(scene, operations);
    expect(plan).toMatchObject({ row: { files: 161, parts: 8, mostRequests: 32 } });
    expect(preview.changes).toHaveLength(161);
    expect(preview.row?.parts.every(({ changes }) => changes <= 25)).toBe(true);
    expect(scene.author.asked).toHaveLength(9);
    const shown = scene.author.asked.slice(1).map((request) => shownIn(request).size);
    expect(shown.reduce((sum, count) => sum + count, 0)).toBe(161);
    const outcome = await operations.apply(planId, { approved, signal: never });
    expect(outcome).toMatchObject({ ok: true, status: "committed" });
    expect(textsIn(scene, Object.keys(projectOf(160)))).toEqual(projectOf(160, "loadUser"));
  });

  test("is made one by one as well: a part is a plan of its own, and has the same id there", async () => {
    using scene = renameScene(30, 4);
    const { planId, preview } = await showSeries(scene);
    const [first, second, ...others] = preview.row?.parts ?? [];
    for (const part of [first, second]) {
      const alone = await lookAgain(part?.planId ?? "", scene.operations);
      expect(alone.approved).toBe(part?.changeSetId ?? "");
      expect(alone.preview.row).toBeUndefined();
      const { planId: partId, approved } = alone;
      const made = await scene.operations.apply(partId, { approved, signal: never });
      expect(made).toMatchObject({ ok: true, status: "committed" });
    }
    const rest = await lookAgain(planId, scene.operations);
    expect(rest.preview.row).toMatchObject({ done: 2 });
    const ids = (parts: typeof others = []) => parts.map(({ changeSetId }) => changeSetId);
    expect(ids(rest.preview.row?.parts.slice())).toEqual(ids(others));
    const options = { approved: rest.approved, signal: never };
    expect(await scene.operations.apply(planId, options)).toMatchObject({ ok: true });
    expect(textsIn(scene, ALL)).toEqual(DONE);
    expect(scene.author.asked).toHaveLength(5);
  });

  test("is undone part by part, the newest first", async () => {
    using scene = renameScene(30, 4);
    const before = readTree(scene.root);
    const { planId, approved } = await showSeries(scene);
    await scene.operations.apply(planId, { approved, signal: never });
    for (let left = 4; left > 0; left--) {
      const undone = await scene.operations.undo(scene.workspace, never);
      expect(undone).toMatchObject({ ok: true, status: "undone" });
    }
    expect(readTree(scene.root)).toMatchObject(before);
    const again = await lookAgain(planId, scene.operations);
    expect(again.approved).toBe(approved);
    expect(scene.author.asked).toHaveLength(5);
  });

  test("is undone as a whole, the newest first, as far as it goes", async () => {
    using scene = renameScene(30, 4);
    const before = readTree(scene.root);
    const undoAll = () => scene.operations.undo(scene.workspace, never, { isSeries: true });
    const { planId, approved } = await showSeries(scene);
    await scene.operations.apply(planId, { approved, signal: never });
    const undone = await undoAll();
    expect(undone).toMatchObject({ ok: true, status: "undone", touched: true });
    expect(undone.changes).toHaveLength(31);
    expect(readTree(scene.root)).toMatchObject(before);
    expect(await undoAll()).toMatchObject({ ok: false, errorCode: "UNDO_NOTHING" });
    await scene.operations.apply(planId, { approved, signal: never });
    writeFileSync(join(scene.root, "src/part2/module15.js"), "// mine\n");
    const half = await undoAll();
    expect(half).toMatchObject({ ok: false, status: "conflict", touched: true });
    expect(half.error).toEndWith(" of 4)");
    const left = textsIn(scene, ["src/part1/module1.js", "src/part3/module25.js"]);
    expect(left["src/part1/module1.js"]).toContain("loadUser");
    expect(left["src/part3/module25.js"]).toContain("fetchUser");
  });

  test("asks for a part once, also when a later one could not be had", async () => {
    using scene = renameScene(30, 0, {}, [
      renames("fetchUser", "loadUser"),
      renames("fetchUser", "loadUser"),
      "no JSON",
      "no JSON",
      renames("fetchUser", "loadUser"),
      renames("fetchUser", "loadUser"),
    ]);
    const plan = await scene.operations.plan(scene.workspace, GOAL, { signal: never });
    if (!plan.ok) throw new Error(plan.message);
    const failed = await scene.operations.preview(plan.planId, never);
    expect(failed).toMatchObject({ ok: false });
    expect(failed.ok || failed.message).toStartWith("Part 3: ");
    const { preview } = await lookAgain(plan.planId, scene.operations);
    expect(preview.row?.parts).toHaveLength(4);
    expect(scene.author.asked).toHaveLength(7);
  });

  test("says which part is asked for, each once, however it is asked for", async () => {
    for (const way of ["preview", "apply"] as const) {
      using scene = renameScene(30, 0, {}, [
        renames("fetchUser", "loadUser"),
        "no JSON",
        "no JSON",
        ...Array.from({ length: 3 }, () => renames("fetchUser", "loadUser")),
      ]);
      const plan = await scene.operations.plan(scene.workspace, GOAL, { signal: never });
      if (!plan.ok) throw new Error(plan.message);
      const steps: Step[] = [];
      const onProgress = (step: Step) => void steps.push(step);
      const ask = (): Promise<unknown> =>
        way === "preview"
          ? scene.operations.preview(plan.planId, never, onProgress)
          : scene.operations.apply(plan.planId, { signal: never, onProgress });
      for (const _ of [1, 2, 3]) await ask();
      const parts = [1, 2, 2, 3, 4].map((part) => ({ part, of: 4 }));
      expect(steps).toEqual(parts);
    }
  });

  test("leaves out a part that wants nothing, and is one change set where one is left", async () => {
    const nothing = { actions: [], summary: "NO_CHANGES: nothing of it is here" };
    const rename = renames("fetchUser", "loadUser");
    using scene = renameScene(30, 0, {}, [nothing, rename, nothing, rename]);
    const { preview } = await showSeries(scene);
    expect(preview.row?.parts.map(({ changes }) => changes)).toEqual([10, 1]);
    using single = renameScene(30, 0, {}, [nothing, rename, nothing, nothing]);
    const shown = await showSeries(single);
    expect(shown.preview.row).toBeUndefined();
    const { planId, approved } = shown;
    const outcome = await single.operations.apply(planId, { approved, signal: never });
    expect(outcome).toMatchObject({ ok: true, changeSetId: approved });
    expect(readHistory(single.workspace)).toMatchObject([{ changeSetId: approved }]);
  });

  test("is refused where it would be too many parts, before any of them is asked for", async () => {
    using scene = renameScene(41, 0, { rules: { maxActions: 1 } });
    const planning = scene.operations.plan(scene.workspace, GOAL, { signal: never });
    expect(planning).rejects.toMatchObject({ code: "ERR_USAGE" });
    await planning.catch(() => {});
    expect(scene.author.asked).toHaveLength(1);
  });
});

describe("a plan that fits into one request", () => {
  test("is what it was before there were parts: the same requests, one change set", async () => {
    using scene = renameScene(5, 1);
    const plan = await scene.operations.plan(scene.workspace, GOAL, { signal: never });
    expect(plan).toMatchObject({ ok: true });
    expect(plan.ok && plan.row).toBeFalsy();
    const text = scene.author.asked[0]?.messages.at(-1)?.content ?? "";
    expect(text).not.toContain("stands in");
    const [planned] = scene.author.asked;
    expect(planned && [...shownIn(planned).keys()]).toEqual(["package.json"]);
  });

  test.each([
    ["names all of its files", 12, 10, { parts: 2 }],
    ["names as many as an answer may change", 10, 10, undefined],
    ["names more than context.max_files", 12, 100, { parts: 2 }],
  ])("or does not: a goal that %s", async (_, named, maxActions, row) => {
    const limits = { maxFiles: 11 };
    using scene = renameScene(20, 0, { rules: { maxActions }, limits });
    const paths = ALL.filter((path) => path.includes("module")).slice(0, named);
    const goal = `Add a comment to ${paths.join(" ")}`;
    const plan = await scene.operations.plan(scene.workspace, goal, { signal: never });
    if (!plan.ok) throw new Error(plan.message);
    if (row) expect(plan.row).toMatchObject({ ...row, files: named });
    else expect(plan.row).toBeUndefined();
  });

  test("or does not: files that a model asks for", async () => {
    const paths = ALL.filter((path) => path.includes("module")).slice(0, 15);
    const context_requests = paths.map((path) => ({ type: "read_file", path }));
    using scene = renameScene(20, 0, {}, []);
    const author = { actions: [], summary: "", context_requests };
    using asking = renameScene(20, 0, { limits: { maxFiles: 12 } });
    const answers = [author, RENAME];
    const operations = bindOperations({
      ...asking.deps,
      author: { ...asking.author, answer: async () => answer(answers.shift()) },
    });
    const plan = await operations.plan(asking.workspace, "tidy up", { signal: never });
    expect(plan).toMatchObject({ ok: true, row: { files: 15, parts: 2 } });
    expect(scene.author.asked).toHaveLength(0);
  });
});

function answer(said: object | undefined) {
  const usage = { inputTokens: 1, outputTokens: 1 };
  return { ok: true as const, text: JSON.stringify(said), usage };
}

describe("parts that follow each other", () => {
  test("are not made where a file changed since they were shown", async () => {
    using scene = renameScene(30, 4);
    const { planId, approved } = await showSeries(scene);
    writeFileSync(join(scene.root, "src/part3/module25.js"), "// mine\n");
    const before = readTree(scene.root);
    const outcome = await scene.operations.apply(planId, { approved, signal: never });
    expect(outcome).toMatchObject({
      ok: false,
      status: "rejected",
      errorCode: "ERR_BASE_MISMATCH",
    });
    expect(outcome.error).toStartWith("Part 3: ");
    expect(readTree(scene.root)).toEqual(before);
  });

  test("that two terminals approve are made once, and the other reads that they are made", async () => {
    using scene = renameScene(30, 4);
    const { planId, approved } = await showSeries(scene);
    const outcomes = await Promise.all(
      [1, 2].map(() => scene.operations.apply(planId, { approved, signal: never })),
    );
    const loser = outcomes.find(({ ok }) => !ok);
    expect(outcomes.filter(({ status }) => status === "committed")).toHaveLength(1);
    expect(loser).toMatchObject({ status: "rejected", made: 4, changes: [], touched: false });
    expect(renderOutcome(loser ?? fail(), wordsIn("en"))).toEndWith(
      "ERR_CHANGE_SET_STALE: All 4 parts of this are made already; an undo takes them back.",
    );
    const later = await scene.operations.apply(planId, { approved, signal: never });
    expect(later).toMatchObject({ status: "rejected", made: 4 });
  });

  test("stop at the first whose file somebody changed: those before it stay, and are told", async () => {
    using scene = renameScene(30, 4);
    const { planId, approved } = await showSeries(scene);
    const operations = withCommits(scene, (number) => {
      if (number === 2) writeFileSync(join(scene.root, "src/part3/module25.js"), "// mine\n");
    });
    const outcome = await operations.apply(planId, { approved, signal: never });
    expect(outcome).toMatchObject({
      ok: false,
      status: "rejected",
      touched: true,
      errorCode: "ERR_CHANGE_SET_STALE",
    });
    expect(outcome.error).toStartWith("Part 3 of 4: ");
    expect(outcome.error).toEndWith("; the 2 parts before it stay as applied");
    expect(outcome.changes).toHaveLength(20);
    const statuses = outcome.row?.parts.map(({ status }) => status);
    expect(statuses).toEqual(["committed", "committed", "rejected", "not begun"]);
    expect(readHistory(scene.workspace).map(({ status }) => status)).toEqual([
      "committed",
      "committed",
    ]);
    for (let left = 2; left > 0; left--) await scene.operations.undo(scene.workspace, never);
    const mine = { ...BEFORE, "src/part3/module25.js": "// mine\n" };
    expect(textsIn(scene, ALL)).toEqual(mine);
  });

  test("that were cut off are asked about again, with what is in the folder already", async () => {
    using scene = renameScene(30, 4);
    const { planId, approved } = await showSeries(scene);
    const stop = new AbortController();
    const operations = withCommits(scene, (number) => {
      if (number === 1) stop.abort(new Error("stop"));
    });
    const outcome = await operations.apply(planId, { approved, signal: stop.signal });
    expect(outcome).toMatchObject({ ok: false, touched: true, errorCode: "ERR_CANCELLED" });
    expect(outcome.row?.parts.map(({ status }) => status)).toEqual([
      "committed",
      "rejected",
      "not begun",
      "not begun",
    ]);
    // The yes was to all of them: what is left is another question.
    const asked = await scene.operations.apply(planId, { approved, signal: never });
    expect(asked).toMatchObject({ ok: false, errorCode: "CONFIRM_REQUIRED", touched: false });
    expect(asked.preview?.row).toMatchObject({ done: 1 });
    expect(asked.preview?.row?.parts).toHaveLength(3);
    const rest = asked.preview?.changeSetId ?? "";
    const made = await scene.operations.apply(planId, { approved: rest, signal: never });
    expect(made).toMatchObject({ ok: true, status: "committed" });
    expect(textsIn(scene, ALL)).toEqual(DONE);
    expect(scene.author.asked).toHaveLength(5);
    const over = await scene.operations.preview(planId, never).catch((error: unknown) => error);
    expect(over).toMatchObject({ code: "ERR_CHANGE_SET_STALE" });
  });
});

describe("the gates", () => {
  test("hold for each part: what one of them may not do stops the whole plan", async () => {
    const rename = renames("fetchUser", "loadUser");
    const secret = {
      actions: [{ kind: "CREATE_FILE", path: ".env", content: "A=1\n" }],
      summary: "s",
    };
    using scene = renameScene(30, 0, {}, [rename, secret, secret]);
    const plan = await scene.operations.plan(scene.workspace, GOAL, { signal: never });
    if (!plan.ok) throw new Error(plan.message);
    const shown = await scene.operations.preview(plan.planId, never);
    expect(shown).toMatchObject({ ok: false, code: "ERR_PROTECTED_PATH" });
    expect(shown.ok || shown.message).toStartWith("Part 2: ");
  });

  test("a file of another part cannot be changed", async () => {
    const rename = renames("fetchUser", "loadUser");
    using scene = renameScene(30, 0, {}, [
      rename,
      async () => ({
        actions: [
          {
            kind: "PATCH_FILE",
            path: "src/part3/module25.js",
            base_sha256: await scene.sha("src/part3/module25.js"),
            patch: '@@ -1,1 +1,1 @@\n-import { fetchUser } from "../user.js";\n+// gone\n',
          },
        ],
        summary: "s",
      }),
    ]);
    const plan = await scene.operations.plan(scene.workspace, GOAL, { signal: never });
    if (!plan.ok) throw new Error(plan.message);
    const shown = await scene.operations.preview(plan.planId, never);
    expect(shown).toMatchObject({ ok: false });
  });

  test("nothing is made under readonly, and all of it unasked under full", async () => {
    using readonly = renameScene(30, 4, { autonomy: "readonly" });
    const shown = await showSeries(readonly);
    const options = { approved: shown.approved, signal: never };
    expect(await readonly.operations.apply(shown.planId, options)).toMatchObject({
      errorCode: "denied",
    });
    expect(textsIn(readonly, ALL)).toEqual(BEFORE);
    using full = renameScene(30, 4, { autonomy: "full" });
    const { planId } = await showSeries(full);
    const outcome = await full.operations.apply(planId, { signal: never });
    expect(outcome).toMatchObject({ ok: true, status: "committed" });
    expect(textsIn(full, ALL)).toEqual(DONE);
    expect(eventsOf(full, "APPLY_SUCCESS")).toHaveLength(4);
  });
});

describe("checks of parts", () => {
  /** Content while the name that is imported is the one that is exported, everywhere. */
  const check = [["sh", "-c", "! grep -rq fetchUser src || ! grep -rq loadUser src"]];

  test("run on top of each other in a view: what fails in between passes as a whole", async () => {
    using scene = renameScene(30, 4, { rules: { check }, sandbox: viewSandbox });
    const before = readTree(scene.root);
    const { planId, preview, approved } = await showSeries(scene);
    expect(readTree(scene.root)).toEqual(before);
    expect(preview.checked?.check.ok).toBe(true);
    expect(preview.row?.parts.map(({ checks }) => checks)).toEqual([
      "fails",
      "fails",
      "fails",
      "passes",
    ]);
    const outcome = await scene.operations.apply(planId, { approved, signal: never });
    expect(outcome).toMatchObject({ ok: true, status: "committed" });
    expect(textsIn(scene, ALL)).toEqual(DONE);
  });

  test("stop a series when another file of the folder changes between two parts", async () => {
    using scene = renameScene(30, 4, { rules: { check }, sandbox: viewSandbox });
    const { planId, approved } = await showSeries(scene);
    const operations = withCommits(scene, (number) => {
      if (number === 3) writeFileSync(join(scene.root, "notes.txt"), "mine\n");
    });
    const outcome = await operations.apply(planId, { approved, signal: never });
    expect(outcome).toMatchObject({ ok: false, errorCode: "ERR_CHANGE_SET_STALE", touched: true });
    expect(outcome.row?.parts.map(({ status }) => status)).toEqual([
      "committed",
      "committed",
      "committed",
      "rejected",
    ]);
    const { preview, ...rest } = await lookAgain(planId, scene.operations);
    expect(preview.row).toMatchObject({ done: 3 });
    const made = await scene.operations.apply(planId, { approved: rest.approved, signal: never });
    expect(made).toMatchObject({ ok: true });
    expect(textsIn(scene, ALL)).toEqual(DONE);
  });

  test("that fail with all of it write nothing, and no part is checked alone", async () => {
    const never3 = [["sh", "-c", "test ! -f src/user.js || ! grep -q loadUser src/user.js"]];
    using scene = renameScene(30, 4, { rules: { check: never3 }, sandbox: viewSandbox });
    const { planId, preview, approved } = await showSeries(scene);
    expect(preview.checked?.check.ok).toBe(false);
    expect(preview.row?.parts.map(({ checks }) => checks)).toEqual([
      undefined,
      undefined,
      undefined,
      "fails",
    ]);
    const outcome = await scene.operations.apply(planId, { approved, signal: never });
    expect(outcome).toMatchObject({ ok: false, status: "rolled_back", touched: false });
    expect(textsIn(scene, ALL)).toEqual(BEFORE);
  });

  test("lead to corrections of all of it, which are made last", async () => {
    const rules = { check: NEEDS_A_FILE };
    using scene = correctedScene({ rules, sandbox: viewSandbox, maxFixRounds: 1 });
    const { planId, preview, approved } = await showSeries(scene);
    expect(preview.checked).toMatchObject({ check: { ok: true }, fixRounds: 1 });
    expect(preview.row?.parts.map(({ summary }) => summary)).toEqual([
      ...Array(3).fill("renames fetchUser in 10 files"),
      "renames fetchUser in 1 files",
      undefined,
    ]);
    const outcome = await scene.operations.apply(planId, { approved, signal: never });
    expect(outcome).toMatchObject({ ok: true });
    expect(outcome.row?.parts).toHaveLength(5);
    expect(textsIn(scene, [...ALL, "CHANGES.md"])).toEqual({ ...DONE, "CHANGES.md": "renamed\n" });
  });
});

function fail(): never {
  throw new Error("both were made");
}
