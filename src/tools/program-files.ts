import { readFileSync, type Stats, statSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { sha256 } from "../core/sha256.ts";
import { openExact } from "../system/open-exact.ts";
import { listFiles } from "../workspace/files.ts";
import { createFindSecretName, resolvePath } from "../workspace/path-guard/path-guard.ts";
import type { Workspace } from "../workspace/workspace.ts";

/** A file that a call names, runs or obeys, as it is now. */
export interface ProgramFile {
  /** Relative to the workspace. */
  readonly path: string;
  /** Its hash, or size and times where it is not read. */
  readonly state: string;
  /** Of one that could be a script. */
  readonly text?: string;
}

/** Files that programs run or obey without being told, by names of programs. */
const IMPLICIT: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    "make gmake": "GNUmakefile makefile Makefile",
    "npm npx pnpm pnpx yarn bun bunx node tsx deno": `package.json .npmrc .yarnrc .yarnrc.yml
      pnpm-workspace.yaml .pnpmfile.cjs bunfig.toml deno.json deno.jsonc tsconfig.json`,
    just: "justfile Justfile .justfile",
    task: "Taskfile.yml Taskfile.yaml",
    cargo: "Cargo.toml build.rs .cargo/config.toml .cargo/config rust-toolchain.toml",
    "python pip uv poetry pipenv pdm hatch pytest tox nox": `pyproject.toml setup.py
      setup.cfg pytest.ini tox.ini noxfile.py conftest.py sitecustomize.py Pipfile`,
    go: "go.mod go.work",
    "rake bundle ruby": "Rakefile rakefile Gemfile",
    "gradle gradlew": "build.gradle build.gradle.kts settings.gradle settings.gradle.kts",
    mvn: "pom.xml",
    cmake: "CMakeLists.txt",
    ninja: "build.ninja",
    meson: "meson.build",
    "docker podman": "Dockerfile compose.yaml compose.yml docker-compose.yml",
    "composer php": "composer.json",
  }).flatMap(([programs, files]) =>
    programs.split(" ").map((name): [string, string[]] => [name, files.split(/\s+/u)]),
  ),
);
/** What interpreters add to the name of a script or of a module. */
const ENDINGS = ".js .mjs .cjs .ts .tsx .py .rb /index.js /index.ts /__main__.py".split(" ");
const TEST_RUN = /(?:^|[-_:])(?:tests?|pytest|vitest|jest|mocha|unittest)(?:$|[-_:])/u;
const TEST_FILE = /[._](?:test|spec)\.\w+$|(?:^|\/)(?:test_[^/]*|conftest)\.py$/u;
/** Words that are looked at as paths; a call with more of them names no script. */
const MAX_WORDS = 1000;
const MAX_BUNDLE = 8;
const MAX_FOLDERS = 16;
const MAX_FILES = 1000;
/** Past so many bytes in all, files are known by size and times. */
const MAX_HASHED_BYTES = 16 * 1024 * 1024;
/** What is longer is no script that names others; nor are there more of them. */
const MAX_SCRIPT_BYTES = 256 * 1024;
const MAX_SCRIPTS = 20;
const MAX_SCRIPT_WORDS = 300;

/**
 * The files of the workspace that words name in any spelling of an option (`x`, `--file=x`,
 * `-fx`), seen from `folder` and from the folders that they name, and those that the programs
 * among the words obey without being told.
 */
export function findProgramFiles(
  workspace: Workspace,
  words: readonly string[],
  folder: string,
): readonly ProgramFile[] {
  return readFiles(workspace, findNamed(workspace, words, [folder]).files);
}

/** These, the files that scripts among them name in turn, and the tests of what runs tests. */
export async function findAllProgramFiles(
  workspace: Workspace,
  words: readonly string[],
): Promise<readonly ProgramFile[]> {
  const { files, folders } = findNamed(workspace, words, [""]);
  const inTurn = readFiles(workspace, files.slice(0, MAX_SCRIPTS)).flatMap(
    ({ path, text = "" }) => {
      const named = text.split(/[^\w./@+-]+/u).filter((word) => /[./]/u.test(word));
      const first = [...new Set(named)].slice(0, MAX_SCRIPT_WORDS);
      return findNamed(workspace, first, [dirname(path), ...folders]).files;
    },
  );
  const tests = words.some((word) => TEST_RUN.test(word)) ? await listTests(workspace) : [];
  return readFiles(workspace, [...files, ...inTurn, ...tests]);
}

async function listTests({ root }: Workspace): Promise<readonly string[]> {
  const { items } = await listFiles(root);
  return items.filter((path) => TEST_FILE.test(path));
}

interface Named {
  readonly files: readonly string[];
  readonly folders: readonly string[];
}

/** What is there under names that words may mean: paths relative to the workspace. */
function findNamed(workspace: Workspace, given: readonly string[], from: readonly string[]): Named {
  const words = given.slice(0, MAX_WORDS);
  const names = [...new Set(words.flatMap(spellings))];
  const first = lookUp(workspace, from, names);
  const folders = [...new Set([...from, ...first.folders])].slice(0, MAX_FOLDERS);
  const obeyed = new Set(words.flatMap((word) => IMPLICIT.get(toProgram(word)) ?? []));
  const more = lookUp(workspace, folders.slice(from.length), names);
  const own = lookUp(workspace, [...new Set(folders.flatMap(withParents))], [...obeyed]);
  return { files: [...new Set([...first.files, ...more.files, ...own.files])], folders };
}

function lookUp({ root }: Workspace, folders: readonly string[], names: readonly string[]): Named {
  const found = { files: new Set<string>(), folders: new Set<string>() };
  for (const folder of folders) {
    for (const name of names.flatMap(withEndings)) {
      const path = name.startsWith("/") ? relative(root, name) : join(folder, name);
      const stat = path.startsWith("../") ? undefined : look(join(root, path));
      if (stat?.isFile()) found.files.add(path);
      else if (stat?.isDirectory()) found.folders.add(path.replace(/\/$/u, ""));
    }
  }
  return { files: [...found.files], folders: [...found.folders] };
}

function look(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined; // no name of a file
  }
}

/** The parts of a word that could be a path, whatever letters of options come before it. */
function spellings(word: string): readonly string[] {
  const bundle = /^-\w+/u.exec(word)?.[0].slice(0, MAX_BUNDLE) ?? "";
  const attached = Array.from({ length: bundle.length }, (_, index) => word.slice(index + 1));
  return [word, ...word.split(/[\s=,;:'"]+/u), ...attached.slice(1)].filter((each) => each !== "");
}

/** A module has dots where its file has folders. */
function withEndings(name: string): readonly string[] {
  if (!/^[\w./@+-]+$/u.test(name) || name.startsWith("-")) return [name];
  const bare = /^\w+(?:\.\w+)+$/u.test(name) ? name.replaceAll(".", "/") : name;
  return [name, ...ENDINGS.map((ending) => bare + ending)];
}

function toProgram(word: string): string {
  return basename(word).replace(/-?[\d.]+$/u, "");
}

/** Many programs look for their file upwards. */
function withParents(folder: string): readonly string[] {
  const parts = folder.split("/").filter((part) => part !== "");
  return [...parts.map((_, index) => parts.slice(0, parts.length - index).join("/")), ""];
}

function readFiles(workspace: Workspace, paths: readonly string[]): readonly ProgramFile[] {
  let left = MAX_HASHED_BYTES;
  const findSecretName = createFindSecretName(workspace);
  const all = [...new Set(paths)];
  const further = all.slice(MAX_FILES);
  const files = all.slice(0, MAX_FILES).flatMap((path): readonly ProgramFile[] => {
    const guarded = resolvePath(workspace, path, "read", findSecretName);
    if (!guarded.ok || !guarded.stat?.isFile()) return [];
    const { absolute, stat } = guarded;
    if (stat.size > left) return [{ path, state: describeStat(stat) }];
    left -= stat.size;
    return [{ path, ...readState(absolute, stat) }];
  });
  return further.length === 0 ? files : [...files, readTogether(workspace, further)];
}

/** Files that are too many to be hashed one by one: what a look at each tells, as one. */
function readTogether({ root }: Workspace, paths: readonly string[]): ProgramFile {
  const looks = paths.map((path) => {
    const stat = look(join(root, path));
    return `${path} ${stat ? describeStat(stat) : "gone"}`;
  });
  return { path: `${paths.length} further files`, state: `looks ${sha256(looks.join("\n"))}` };
}

function readState(absolute: string, stat: Stats): Omit<ProgramFile, "path"> {
  try {
    using file = openExact(absolute);
    const bytes = readFileSync(file.fd);
    const state = `sha256 ${sha256(bytes)}`;
    return stat.size > MAX_SCRIPT_BYTES ? { state } : { state, text: bytes.toString("utf8") };
  } catch {
    return { state: describeStat(stat) }; // nobody here can read it
  }
}

function describeStat({ size, mtimeMs, ctimeMs }: Stats): string {
  return `${size} bytes, not hashed (${mtimeMs} ${ctimeMs})`;
}
