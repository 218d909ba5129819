import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { Glob } from "bun";
import { copyProject, type Run } from "../../../scripts/mutants/project-copy.ts";
import type { Fault, Step } from "./steps.ts";

const ROOT = join(import.meta.dir, "../../..");
const SCHEMAS = "npm run schemas";
const CONFIG = "tsconfig.walks.json";

/** A copy of the project in which walks are done, all steps of them or all but one. */
export interface WalkedCopy extends Disposable {
  readonly root: string;
  /** Writes what these steps write, and takes back what others wrote. */
  take(steps: readonly Step[]): void;
  runTests(files: readonly string[], only?: string): Promise<Run>;
  /** What the compiler says of the files and of each fault, by the fault; undefined: of the files. */
  compile(files: readonly string[], faults: readonly Fault[]): Map<Fault | undefined, string>;
  run(...command: string[]): { readonly exitCode: number; readonly output: string };
}

/** Copies the project and takes all steps, `npm run schemas` among them. */
export function copyAndWalk(steps: readonly Step[]): WalkedCopy {
  const copy = copyProject(ROOT, listFiles());
  const before = new Map<string, string | undefined>();
  const written = new Map<string, string | undefined>();

  /** What the project has there; undefined: nothing. */
  function readBefore(path: string): string | undefined {
    return before.getOrInsertComputed(path, () => {
      return existsSync(join(copy.root, path)) ? copy.read(path) : undefined;
    });
  }

  function write(texts: ReadonlyMap<string, string | undefined>): void {
    for (const [path, text] of texts) {
      if (text === undefined) rmSync(join(copy.root, path), { force: true });
      else if (written.get(path) !== text) copy.write(path, text);
      written.set(path, text);
    }
  }

  function textsAfter(taken: readonly Step[]): Map<string, string | undefined> {
    const texts = new Map([...written.keys()].map((path) => [path, readBefore(path)]));
    for (const edit of taken.flatMap(({ edits }) => edits)) {
      const text = texts.get(edit.path) ?? readBefore(edit.path) ?? "";
      texts.set(edit.path, "text" in edit ? edit.text : insert(text, edit));
    }
    if (taken.some(isSchemas)) for (const [path, text] of schemas) texts.set(path, text);
    return texts;
  }

  function run(...command: string[]) {
    const env = { ...process.env, PAPAYU_HOME: join(copy.root, "../home") };
    const child = Bun.spawnSync(command, { cwd: copy.root, env });
    return { exitCode: child.exitCode, output: child.stdout.toString() + child.stderr.toString() };
  }

  let schemas: readonly (readonly [string, string])[] = [];
  const paths = readdirSync(join(ROOT, "schemas")).map((name) => `schemas/${name}`);
  for (const path of paths) written.set(path, readBefore(path));
  write(textsAfter(steps));
  run(process.execPath, "scripts/write-schemas.ts");
  schemas = paths.map((path) => [path, copy.read(path)]);
  for (const [path, text] of schemas) written.set(path, text);

  return {
    root: copy.root,
    take: (taken) => write(textsAfter(taken)),
    runTests: (files, only) => copy.runTests(files, 120, only === undefined ? [] : ["-t", only]),
    compile(files, faults) {
      const named = new Map(faults.map((fault, index) => [faultyPath(fault, index), fault]));
      for (const [path, fault] of named) copy.write(path, withFault(copy.read(fault.path), fault));
      const include = [...files, ...named.keys()];
      copy.write(CONFIG, JSON.stringify({ extends: "./tsconfig.json", include }));
      const { output } = run("node_modules/.bin/tsc", "-p", CONFIG);
      for (const path of [...named.keys(), CONFIG]) rmSync(join(copy.root, path));
      const said = new Map<Fault | undefined, string>();
      for (const line of output.split("\n").filter((each) => /: error TS/u.test(each))) {
        const fault = named.get(line.split("(")[0] ?? "");
        said.set(fault, `${said.get(fault) ?? ""}${line}\n`);
      }
      return said;
    },
    run,
    [Symbol.dispose]: () => copy[Symbol.dispose](),
  };
}

function isSchemas({ words }: Step): boolean {
  return words.includes(SCHEMAS);
}

function listFiles(): string[] {
  const names = readdirSync(ROOT).filter((name) => name !== "node_modules" && name !== ".git");
  return names.flatMap((name) => {
    if (statSync(join(ROOT, name)).isFile()) return [name];
    const files = new Glob("**/*").scanSync({ cwd: join(ROOT, name), dot: true });
    return [...files].map((file) => `${name}/${file}`);
  });
}

function insert(text: string, { after, insert: added, path }: Insertion): string {
  const [head, ...rest] = text.split(after);
  if (head === undefined || rest.length !== 1) throw new Error(`not once in ${path}: ${after}`);
  return head + after + added + rest.join(after);
}

type Insertion = Extract<Step["edits"][number], { after: string }>;

function faultyPath({ path }: Fault, index: number): string {
  return path.replace(/\.ts$/u, `-fault-${index}.ts`);
}

function withFault(text: string, { path, part, instead = "" }: Fault): string {
  if (!text.includes(part)) throw new Error(`not in ${path}: ${part}`);
  return text.replace(part, () => instead);
}
