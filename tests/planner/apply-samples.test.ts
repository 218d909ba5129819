import { expect, test } from "bun:test";
import { cpSync, existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { sha256 } from "../../src/core/sha256.ts";
import { versionName } from "../../src/protocol/version.ts";
import { NOTES_EN } from "../../src/texts/notes/en.ts";
import { wordNotes } from "../../src/texts/notes/notes.ts";
import { readTree } from "../support/tree.ts";
import {
  createScene,
  eventsOf,
  type Line,
  never,
  requestText,
  type Scene,
  type SceneOptions,
} from "./planner-scene.ts";

/*
 * One folder a behaviour of plan and apply, tests/samples/apply/BEHAVIOUR:
 *
 *   before/         the workspace
 *   answers.json    the goal, and what the author answers, in order. A list of strings means
 *                   a text of these lines, "sha256 of PATH" for that of a file in before/.
 *                   "version" is that of the protocol, 2 where it is missing; "fallback": false
 *                   keeps an apply from stepping down
 *   edited/         what somebody writes between plan and apply; often missing
 *   after/          the workspace in the end; missing: as it was
 *   expected.json   the outcome and what led to it
 *
 * UPDATE_SAMPLES=1 writes after/ and expected.json anew. Read the difference before you keep it.
 */
const SAMPLES = join(import.meta.dir, "../samples/apply");
const isUpdate = process.env["UPDATE_SAMPLES"] === "1";

test.each(readdirSync(SAMPLES).toSorted())("plan and apply: %s", async (name) => {
  const dir = join(SAMPLES, name);
  const { goal, answers, ...options } = await readScript(dir);
  using scene = createScene({}, answers, options);
  cpSync(join(dir, "before"), scene.root, { recursive: true });
  const plan = await scene.operations.plan(scene.workspace, goal, { signal: never });
  if (!plan.ok) throw new Error(`${plan.code}: ${plan.message}`);
  if (existsSync(join(dir, "edited"))) {
    cpSync(join(dir, "edited"), scene.root, { recursive: true });
  }
  const before = readTree(scene.root);
  const report = await apply(scene, plan.planId);

  if (isUpdate) await update(dir, scene.root, report);
  expect(report).toEqual(await Bun.file(join(dir, "expected.json")).json());
  const after = join(dir, "after");
  expect(readTree(scene.root)).toEqual(existsSync(after) ? readTree(after) : before);
  if (report.status !== "committed") return;
  await scene.operations.undo(scene.workspace, never);
  expect(readTree(scene.root)).toEqual(before);
});

/** Applies with the approval that a person would give, and tells what was seen on the way. */
async function apply(scene: Scene, planId: string) {
  const { operations } = scene;
  const first = await operations.apply(planId, { signal: never });
  const approved = first.preview?.changeSetId;
  const outcome = approved ? await operations.apply(planId, { approved, signal: never }) : first;
  const repaired = scene.author.asked.findIndex(({ messages }) =>
    messages.at(-1)?.content.startsWith("Your answer cannot be used"),
  );
  return {
    status: outcome.status,
    ...(outcome.errorCode && { error_code: outcome.errorCode, error: outcome.error }),
    changes: outcome.changes.map(
      ({ kind, path, added, removed }) => `${kind} ${path} +${added} -${removed}`,
    ),
    notes: wordNotes(first.preview?.notes ?? [], NOTES_EN),
    protocol_attempts: outcome.origin?.attempts.map(versionName) ?? [],
    model_calls: scene.author.asked.length,
    faults: eventsOf(scene, "VALIDATION_FAILED").map(({ fields }) => fields["code"]),
    repair: repaired === -1 ? [] : requestText(scene.author, repaired).split("\n"),
  };
}

interface Script extends Pick<SceneOptions, "version" | "fallback"> {
  readonly goal: string;
  readonly answers: readonly Line[];
}

async function readScript(dir: string): Promise<Script> {
  const shas = new Map<string, string>();
  for await (const path of new Bun.Glob("**").scan({ cwd: join(dir, "before"), dot: true })) {
    shas.set(path, sha256(await Bun.file(join(dir, "before", path)).bytes()));
  }
  const text = await Bun.file(join(dir, "answers.json")).text();
  return JSON.parse(text, (key, value: unknown) => {
    if (typeof value === "string") return toSha(value, shas);
    const isText = Array.isArray(value) && key !== "answers" && value.length > 0;
    return isText && value.every((line) => typeof line === "string") ? toText(value) : value;
  });
}

function toSha(value: string, shas: ReadonlyMap<string, string>): string {
  const path = /^sha256 of (.+)$/.exec(value)?.[1];
  if (path === undefined) return value;
  const sha = shas.get(path);
  if (sha === undefined) throw new Error(`before/ has no "${path}"`);
  return sha;
}

function toText(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}

async function update(dir: string, root: string, report: { readonly status: string }) {
  writeFileSync(join(dir, "expected.json"), `${JSON.stringify(report, null, 2)}\n`);
  const after = join(dir, "after");
  rmSync(after, { recursive: true, force: true });
  const isSame = report.status !== "committed";
  if (!isSame)
    cpSync(root, after, { recursive: true, filter: (path) => basename(path) !== ".papa-yu" });
}
