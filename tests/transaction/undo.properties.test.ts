import { expect, test } from "bun:test";
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import * as fc from "fast-check";
import { systemClock } from "../../src/core/clock.ts";
import { sha256 } from "../../src/core/sha256.ts";
import type { Action } from "../../src/protocol/response.ts";
import { computeChangeSet } from "../../src/transaction/compute/compute.ts";
import { recover } from "../../src/transaction/recover/recover.ts";
import { runTransaction } from "../../src/transaction/run/run.ts";
import { redo, undo } from "../../src/transaction/undo/undo.ts";
import { silentLog } from "../support/silent-log.ts";
import { memoryDir, tempDir } from "../support/temp.ts";
import { requestFor, workspaceAt } from "./scene.ts";
import { forecast, type Node, type Snapshot, type Step, takeSnapshot } from "./undo-model.ts";

/** `PAPAYU_UNDO_RUNS=500` walks longer, `PAPAYU_UNDO_SEED` again as it failed. */
const RUNS = Number(process.env["PAPAYU_UNDO_RUNS"] ?? 3);
const SEED = process.env["PAPAYU_UNDO_SEED"];
/** In memory where there is such a folder: every step waits for the disk many times. */
const PARENT = memoryDir();
const MOST_STEPS = 200;
const LINES = 12;

const anyFile = fc.constantFrom("a", "a", "b", "d/a", "d/e/b", "d/e/c");
const anyPlace = fc.constantFrom("a", "d", "d/e", "d/a", "d/mine", "d/e/b");
const anyLine = fc.nat(LINES - 1);
const anyChange = fc.record({
  how: fc.constantFrom("edit", "edit", "edit", "edit", "edit", "empty", "delete"),
  path: anyFile,
  line: anyLine,
});

const anyStep = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant("apply" as const),
      changes: fc.array(anyChange, { minLength: 1, maxLength: 3 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("prune" as const),
      path: fc.constantFrom("d", "d/e"),
    }),
  },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant("undo" as const) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("redo" as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("restart" as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("edit" as const),
      path: anyFile,
      line: anyLine,
      cut: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("restore" as const), path: anyFile, back: fc.nat(4) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("chmod" as const),
      path: anyPlace,
      mode: fc.constantFrom(0o644, 0o755, 0o700),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("replace" as const),
      path: anyPlace,
      by: fc.constantFrom("nothing", "nothing", "file", "dir", "link"),
    }),
  },
);
type AnyStep = typeof anyStep extends fc.Arbitrary<infer T> ? T : never;

test("undo() and redo() do in any order what trees of before and after tell", async () => {
  const steps = fc.array(anyStep, { maxLength: MOST_STEPS, size: "max" });
  await fc.assert(fc.asyncProperty(steps, walk), {
    numRuns: RUNS,
    ...(SEED !== undefined && { seed: Number(SEED) }),
  });
});

/** Takes the steps in a fresh folder, and compares the disk with the model after each. */
async function walk(steps: readonly AnyStep[]): Promise<void> {
  using dir = tempDir(undefined, PARENT);
  const root = dir.path;
  const stacks: Record<"undo" | "redo", Step[]> = { undo: [], redo: [] };
  const past: Snapshot[] = [takeSnapshot(root)];
  let fresh = 0;
  for (const one of steps) {
    const before = takeSnapshot(root);
    switch (one.kind) {
      case "apply":
      case "prune": {
        const actions =
          one.kind === "apply"
            ? toActions(before, one.changes, () => ++fresh)
            : [{ kind: "DELETE_DIR" as const, path: one.path }];
        if (!(await apply(root, actions))) break;
        stacks.undo.push({ before, after: takeSnapshot(root) });
        stacks.redo = [];
        break;
      }
      case "undo":
      case "redo":
        await takeBack(root, one.kind, stacks);
        break;
      case "restart":
        expect(recover(workspaceAt(root), { log: silentLog })).toEqual([]);
        break;
      default:
        actAsUser(root, one, past, () => ++fresh);
    }
    past.push(takeSnapshot(root));
  }
}

async function takeBack(
  root: string,
  kind: "undo" | "redo",
  stacks: Record<"undo" | "redo", Step[]>,
): Promise<void> {
  const before = takeSnapshot(root);
  const request = {
    workspace: workspaceAt(root),
    clock: systemClock,
    log: silentLog,
    signal: new AbortController().signal,
  };
  const result = await (kind === "undo" ? undo(request) : redo(request));
  const after = takeSnapshot(root);
  const target = stacks[kind].at(-1);
  if (!target) {
    expect(result).toMatchObject({ code: kind === "undo" ? "UNDO_NOTHING" : "REDO_NOTHING" });
    expect(after).toEqual(before);
    return;
  }
  const { tree, conflicts } = forecast(target, before);
  expect(after).toEqual(new Map([...tree].toSorted(([a], [b]) => (a < b ? -1 : 1))));
  if (conflicts.length === 0) expect(result).toMatchObject({ ok: true });
  else expect(result).toMatchObject({ code: "UNDO_CONFLICT", conflicts: conflicts.toSorted() });
  if ("changeSet" in result && conflicts.length > 0 && result.changeSet.changes.length === 0)
    return;
  stacks[kind].pop();
  stacks[kind === "undo" ? "redo" : "undo"].push({ before, after });
}

/** Whether something was changed. */
async function apply(root: string, actions: readonly Action[]): Promise<boolean> {
  const workspace = workspaceAt(root);
  const computed = computeChangeSet(workspace, actions);
  if (!computed.ok || computed.changeSet.changes.length === 0) return false;
  const result = await runTransaction(requestFor(workspace, computed.changeSet));
  expect(result).toMatchObject({ ok: true });
  return true;
}

/** One action a path, such as fits what is there. */
function toActions(
  now: Snapshot,
  changes: readonly Change[],
  next: () => number,
): readonly Action[] {
  const byPath = new Map(changes.map((change) => [change.path, change]));
  return [...byPath.values()].map((change) => toAction(now.get(change.path), change, next));
}

interface Change {
  readonly how: string;
  readonly path: string;
  readonly line: number;
}

function toAction(there: Node | undefined, change: Change, next: () => number): Action {
  const { how, path, line } = change;
  if (there?.kind !== "file") return { kind: "CREATE_FILE", path, content: freshText(next) };
  if (how === "delete") return { kind: "DELETE_FILE", path };
  const base_sha256 = sha256(Buffer.from(there.text, "latin1"));
  const replace = (start_line: number, end_line: number, content: string) =>
    ({ kind: "REPLACE_RANGE", path, base_sha256, start_line, end_line, content }) as const;
  const count = linesOf(there).length;
  if (count === 0) return replace(1, 0, freshText(next));
  if (how === "empty") return replace(1, count, "");
  const at = Math.min(line, count - 1) + 1;
  return replace(at, at, `${at}:${next()}`);
}

function actAsUser(
  root: string,
  one: Extract<AnyStep, { kind: "edit" | "restore" | "chmod" | "replace" }>,
  past: readonly Snapshot[],
  next: () => number,
): void {
  const now = takeSnapshot(root);
  const there = now.get(one.path);
  const absolute = join(root, one.path);
  if (one.path.includes("/") && now.get(dirname(one.path))?.kind !== "dir") return;
  switch (one.kind) {
    case "edit": {
      if (there?.kind !== "file") return;
      const lines = [...linesOf(there)];
      if (lines.length > one.line) lines[one.line] = `${one.line + 1}:${next()}\n`;
      const edited = lines.join("");
      return writeFileSync(absolute, one.cut ? edited.replace(/\n$/, "") : edited, "latin1");
    }
    case "restore": {
      const old = past.at(-1 - one.back)?.get(one.path);
      if (old?.kind === "file" && there?.kind !== "dir" && there?.kind !== "link")
        writeFileSync(absolute, old.text, "latin1");
      return;
    }
    case "chmod":
      if (there && there.kind !== "link") chmodSync(absolute, one.mode);
      return;
    case "replace":
      rmSync(absolute, { recursive: true, force: true });
      if (one.by === "file") writeFileSync(absolute, freshText(next));
      if (one.by === "dir") mkdirSync(absolute);
      if (one.by === "link") symlinkSync("/nowhere", absolute);
      return;
    default:
      one satisfies never;
  }
}

/** Lines that are found nowhere else. */
function freshText(next: () => number): string {
  return Array.from({ length: LINES }, (_, index) => `${index + 1}:${next()}\n`).join("");
}

function linesOf({ text }: Node): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}
