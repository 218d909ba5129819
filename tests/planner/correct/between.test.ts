import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Workspace } from "../../../src/workspace/workspace.ts";
import { hasOverlay } from "../../support/overlay.ts";
import { bindOperations, type Line, never, planIn } from "../planner-scene.ts";
import { listen, sh, show } from "../verify/view-scene.ts";
import { act, append, asked, fixScene, NOTHING, wants } from "./fix-scene.ts";

describe.if(hasOverlay)("corrections that something comes between", () => {
  test("go on where they were, and pay for nothing twice", async () => {
    const cut = new AbortController();
    const stop: Line = () => {
      cut.abort(new Error("stopped"));
      return NOTHING;
    };
    using scene = fixScene(wants("good"), [append("bad"), stop, append("good", 3)]);
    const planId = await planIn(scene);
    expect(await scene.operations.preview(planId, cut.signal).catch(String)).toContain("stopped");
    expect(asked(scene)).toBe(2);
    expect(existsSync(join(scene.root, "docs"))).toBe(false);
    const { begun: runs, onProgress } = listen();
    const again = bindOperations(scene.deps); // as another process would
    const shown = await again.preview(planId, never, onProgress);
    expect(shown.ok && shown.preview.checked).toMatchObject({ check: { ok: true }, fixRounds: 2 });
    expect(asked(scene)).toBe(3);
    expect(runs).toHaveLength(1); // the last change set: what came before is known
    const approved = shown.ok ? shown.preview.changeSetId : "";
    const outcome = await bindOperations(scene.deps).apply(planId, { approved, signal: never });
    expect(outcome).toMatchObject({ status: "committed", fixRounds: 2 });
  });

  test("are cancelled with the apply that waits for them", async () => {
    const cut = new AbortController();
    const stop: Line = () => {
      cut.abort();
      return NOTHING;
    };
    using scene = fixScene(wants("good"), [stop]);
    const outcome = await scene.operations.apply(await planIn(scene), { signal: cut.signal });
    expect(outcome).toMatchObject({
      status: "rejected",
      errorCode: "ERR_CANCELLED",
      touched: false,
    });
  });

  test("are asked for once by two who look at the same time", async () => {
    using scene = fixScene(wants("good"), [append("bad"), append("good", 3)]);
    const planId = await planIn(scene);
    const both = await Promise.all([1, 2].map(() => scene.operations.preview(planId, never)));
    const [one, two] = both.map((shown) => (shown.ok ? shown.preview : undefined));
    expect(one?.checked).toMatchObject({ check: { ok: true }, fixRounds: 2 });
    expect(two).toEqual(one);
    expect(asked(scene)).toBe(2);
  });

  test("are checked on the folder as it has become", async () => {
    const rules = sh(
      `test ! -f docs/new.md || { cat counter; ${wants("good").check?.[0]?.at(2)}; }`,
    );
    const late = async (request: Parameters<Extract<Line, (...all: never[]) => unknown>>[0]) => {
      writeFileSync(join(request.workspace.root, "counter"), "changed\n");
      const line = append("good");
      return typeof line === "function" ? line(request) : line;
    };
    using scene = fixScene(rules, [late]);
    const { planId, preview, approved } = await show(scene);
    expect(preview.checked?.check.stages[0]?.output).toBe("changed\n");
    const outcome = await scene.operations.apply(planId, { approved, signal: never });
    expect(outcome).toMatchObject({ status: "committed", fixRounds: 1 });
  });

  test("end when a file of them changes meanwhile, and begin anew on that", async () => {
    const late = async (request: Parameters<Extract<Line, (...all: never[]) => unknown>>[0]) => {
      const line = append("three", 3, "a.txt");
      const answer = typeof line === "function" ? await line(request) : line;
      writeFileSync(join(request.workspace.root, "docs"), "in the way\n");
      return answer;
    };
    using other = fixScene(wants("good"), [late]);
    const shown = other.operations.preview(await planIn(other, "change a.txt"), never);
    expect(await shown.catch(String)).toContain('"docs" changed meanwhile');
    using scene = fixScene(wants("good"), [late]);
    const planId = await planIn(scene, "change a.txt");
    const outcome = await scene.operations.apply(planId, { signal: never });
    expect(outcome).toMatchObject({
      status: "rejected",
      errorCode: "ERR_CHANGE_SET_STALE",
      touched: false,
    });
    expect(readFileSync(join(scene.root, "a.txt"), "utf8")).toBe("one\ntwo\n");
  });

  test("are forgotten where the folder does not fit them any more", async () => {
    const both: Line = async (request) => {
      const [here, there] = [append("good"), append("three", 3, "a.txt")].map((line) =>
        typeof line === "function" ? line(request) : line,
      );
      const actions = [Object(await here).actions[0], Object(await there).actions[0]];
      return { actions, summary: "s" };
    };
    using scene = fixScene(wants("good"), [both, append("good")]);
    const planId = await planIn(scene, "change a.txt");
    const first = await scene.operations.preview(planId, never);
    const approved = first.ok ? first.preview.changeSetId : "";
    expect(first.ok && first.preview.diff).toContain("+three");
    writeFileSync(join(scene.root, "a.txt"), "mine\n");
    const stale = await scene.operations.apply(planId, { approved, signal: never });
    expect(stale).toMatchObject({ errorCode: "ERR_CHANGE_SET_STALE", touched: false });
    expect(asked(scene)).toBe(1);
    const second = await scene.operations.preview(planId, never);
    expect(second.ok && second.preview.checked).toMatchObject({
      check: { ok: true },
      fixRounds: 1,
    });
    expect(second.ok && second.preview.diff).not.toContain("three");
    expect(readFileSync(join(scene.root, "a.txt"), "utf8")).toBe("mine\n");
  });

  test("are none after a yes: what fails then uses it up", async () => {
    const rules = sh(
      `test ! -s counter || test ! -f docs/new.md || exit 1; ${wants("good").check?.[0]?.at(2)}`,
    );
    using scene = fixScene(rules, [append("good"), append("more", 3)]);
    const { planId, approved } = await show(scene);
    writeFileSync(join(scene.root, "counter"), "changed\n");
    const outcome = await scene.operations.apply(planId, { approved, signal: never });
    expect(outcome).toMatchObject({ status: "rolled_back", touched: false, fixRounds: 1 });
    expect(asked(scene)).toBe(1);
  });

  test("count as never made where their row was changed", async () => {
    using scene = fixScene(wants("good"), [append("good"), append("good")]);
    const { planId, approved } = await show(scene);
    const { verifications } = scene.deps;
    const row = verifications.loadCorrections(planId);
    if (!row) throw new Error("nothing was stored");
    const evil = row.correctionsJson.replace(
      /"contents":\{"([0-9a-f]+)":"[^"]*"/u,
      '"contents":{"$1":"ZXZpbA=="',
    );
    expect(evil).not.toBe(row.correctionsJson);
    verifications.dropCorrections(planId);
    verifications.saveCorrections({ ...row, correctionsJson: evil });
    const outcome = await scene.operations.apply(planId, { approved, signal: never });
    expect(outcome).toMatchObject({ errorCode: "ERR_CHANGE_SET_STALE", touched: false });
    expect(asked(scene)).toBe(1);
  });

  test("have an end where their plan is forgotten meanwhile", async () => {
    const forget: Line = (request) => {
      scene.deps.plans.dropPlan(planId);
      const line = append("bad");
      return typeof line === "function" ? line(request) : line;
    };
    using scene = fixScene(wants("good"), [forget, append("bad", 3), append("bad", 4)]);
    const planId = await planIn(scene);
    const shown = await scene.operations.preview(planId, never);
    expect(shown.ok && shown.preview.checked).toMatchObject({ check: { ok: false }, fixRounds: 2 });
    expect(asked(scene)).toBe(2);
  });
});

describe.if(hasOverlay)("a limit of actions that is lowered", () => {
  test("after a corrected change set was shown stops a yes to that", async () => {
    const rules: { -readonly [Key in keyof Workspace]?: Workspace[Key] } = {
      ...sh("test ! -f docs/new.md || ls | grep -q extra"),
    };
    const create = act({ kind: "CREATE_FILE", path: "extra.txt", content: "e\n" });
    using scene = fixScene(rules, [create, NOTHING]);
    const { planId, preview, approved } = await show(scene);
    expect(preview.checked).toMatchObject({ check: { ok: true }, fixRounds: 1 });
    rules.maxActions = 1;
    const outcome = await scene.operations.apply(planId, { approved, signal: never });
    expect(outcome).toMatchObject({ errorCode: "ERR_CHANGE_SET_STALE", touched: false });
    expect(existsSync(join(scene.root, "extra.txt"))).toBe(false);
  });
});
