import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { AuthorRequest } from "../../../src/planner/author.ts";
import type { Operations } from "../../../src/planner/operations.ts";
import type { ModelRequest, Reply } from "../../support/model-server.ts";
import {
  bindOperations,
  createScene,
  type Line,
  never,
  type Scene,
  type SceneOptions,
} from "../planner-scene.ts";

/** A module of a made-up project that calls what a rename is about. */
export function toModule(number: number, name: string): string {
  return `import { ${name} } from "../user.js";\n\nexport const value${number} = ${name}(${number});\n`;
}

/** A project of so many modules in folders of ten, and the one that they import. */
export function projectOf(modules: number, name = "fetchUser"): Record<string, string> {
  const files: Record<string, string> = {
    "package.json": '{ "name": "made-up", "type": "module" }\n',
    "src/user.js": `export function ${name}(id) {\n  return id;\n}\n`,
  };
  for (let number = 1; number <= modules; number++) {
    const folder = `src/part${Math.ceil(number / 10)}`;
    files[`${folder}/module${number}.js`] = toModule(number, name);
  }
  return files;
}

/** The files that a request shows, by path. */
export function shownIn({ messages }: AuthorRequest): ReadonlyMap<string, Shown> {
  return shownAs(textOf(messages));
}

function textOf(messages: AuthorRequest["messages"]): string {
  return messages.map(({ content }) => content).join("\n\n");
}

function shownAs(text: string): ReadonlyMap<string, Shown> {
  const found = new Map<string, Shown>();
  for (const block of text.split(/^(?=FILE\[)/mu).slice(1)) {
    const head = /^FILE\[([^\]]+)\] \(sha256=([0-9a-f]{64})\):\n/u.exec(block);
    const [whole = "", path = "", sha256 = ""] = head ?? [];
    const rows = block.slice(whole.length).split("\n");
    const end = rows.findIndex((row) => !/^\d+\|/u.test(row));
    const lines = rows.slice(0, end === -1 ? rows.length : end);
    found.set(path, { sha256, lines: lines.map((line) => line.slice(line.indexOf("|") + 1)) });
  }
  return found;
}

interface Shown {
  readonly sha256: string;
  readonly lines: readonly string[];
}

/** An author that renames a name in all files that it is shown, line by line. */
export function renames(from: string, to: string): Line {
  return ({ messages }) => renamesIn(textOf(messages), from, to);
}

/** The answer that does so to what a request says. */
export function renamesIn(text: string, from: string, to: string) {
  const actions = [...shownAs(text)].flatMap(([path, { sha256, lines }]) => {
    const patch = lines.flatMap((line, index) => {
      if (!line.includes(from)) return [];
      return [`@@ -${index + 1} +${index + 1} @@\n-${line}\n+${line.replaceAll(from, to)}\n`];
    });
    if (patch.length === 0) return [];
    return [{ kind: "PATCH_FILE", path, base_sha256: sha256, patch: patch.join("") }];
  });
  return { actions, summary: `renames ${from} in ${actions.length} files` };
}

/** A model that plans the rename, and does it in the files of each part. */
export function playRename({ body: { messages } }: ModelRequest): Reply {
  const said = messages.map(({ content }) => content ?? "");
  const isPlan = said.at(-1)?.includes("Answer with a PLAN") === true;
  const document = isPlan ? RENAME : renamesIn(said.join("\n\n"), "fetchUser", "loadUser");
  return { kind: "text", text: JSON.stringify(document) };
}

/** The plan of a rename. */
export const RENAME = { actions: [], summary: "1. Rename fetchUser to loadUser in all files" };

/** The goal of it. */
export const GOAL = "Rename `fetchUser` to `loadUser` everywhere";

/** A scene whose author plans the rename and then does it in so many parts. */
export function renameScene(
  modules: number,
  parts: number,
  options: SceneOptions = {},
  lines?: readonly Line[],
): Scene {
  const answers = Array.from({ length: parts }, () => renames("fetchUser", "loadUser"));
  return createScene(projectOf(modules), [RENAME, ...(lines ?? answers)], {
    ...options,
    limits: { maxFiles: 30, ...options.limits },
    rules: { maxActions: 10, ...options.rules },
  });
}

/** The same use cases, in which something happens when a transaction was committed. */
export function withCommits(scene: Scene, onCommit: (number: number) => void) {
  let commits = 0;
  return bindOperations({
    ...scene.deps,
    log: (event, fields) => {
      scene.deps.log(event, fields);
      if (event === "APPLY_SUCCESS") onCommit(++commits);
    },
  });
}

/** What a file of a scene holds now. */
export function textsIn(scene: Scene, paths: Iterable<string>): Record<string, string> {
  const entries = [...paths].map((path) => [path, readFileSync(join(scene.root, path), "utf8")]);
  return Object.fromEntries(entries);
}

/** Plans the rename, and looks at its change sets. */
export async function showSeries(scene: Scene, operations = scene.operations) {
  const plan = await operations.plan(scene.workspace, GOAL, { signal: never });
  if (!plan.ok) throw new Error(`${plan.code}: ${plan.message}`);
  return { plan, ...(await lookAgain(plan.planId, operations)) };
}

/** What is to be approved of a plan. */
export async function lookAgain(planId: string, operations: Operations) {
  const outcome = await operations.preview(planId, never);
  if (!outcome.ok) throw new Error(`${outcome.code}: ${outcome.message}`);
  const { preview } = outcome;
  return { planId, preview, approved: preview.changeSetId };
}

/** Checks that a whole rename passes only with a file more, which a correction brings. */
export const NEEDS_A_FILE = [
  ["sh", "-c", "! grep -rq loadUser src || test $(ls | wc -l) -eq 3"],
] as const;

/** A rename over 30 files in four parts; its author's correction brings CHANGES.md. */
export function correctedScene(options: SceneOptions): Scene {
  const action = { kind: "CREATE_FILE", path: "CHANGES.md", content: "renamed\n" };
  const rename = renames("fetchUser", "loadUser");
  const lines = [rename, rename, rename, rename, { actions: [action], summary: "says so" }];
  return renameScene(30, 0, options, lines);
}
