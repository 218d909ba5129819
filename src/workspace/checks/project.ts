import { statSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { decodeUtf8 } from "../../core/decode-utf8.ts";
import { createFindSecretName, resolvePath } from "../path-guard/path-guard.ts";
import { type ProjectProfile, readProfile } from "../profile.ts";
import { readProjectMemory } from "../project-memory.ts";
import { readWholeFile } from "../read-file.ts";
import type { CheckCommand, Workspace } from "../workspace.ts";
import { type FolderAbove, readFoldersAbove } from "./folders-above.ts";

/** A project as the detectors see it: read once, bounded, and nothing to look further with. */
export interface Project {
  /** Names in the root and of what was looked for below it; those of folders end with "/". */
  readonly names: ReadonlySet<string>;
  /** Texts of manifests by path, without byte-order mark, lines ended by "\n". */
  readonly texts: ReadonlyMap<string, string>;
  /** Paths that may be run. */
  readonly executables: ReadonlySet<string>;
  readonly profile: ProjectProfile;
  /** Folders around it in the same repository, nearest first. */
  readonly above: readonly FolderAbove[];
  /** Whether checks reach the network. */
  readonly network: boolean;
  /** Whether this program is on the PATH that checks get. */
  readonly hasProgram: (name: string) => boolean;
  /** The test command and the package manager that people prefer here. */
  readonly preferredTest: string | undefined;
  readonly preferredManager: string | undefined;
  /** Files of a change, those that are there after it; manifests above them are in `texts`. */
  readonly changed: readonly string[];
}

/** Says what a project can be checked with; nothing when it is not of its kind. */
export type Detector = (project: Project) => readonly CheckCommand[];

/** A longer manifest is none: what reads it for people does not write such. */
export const MOST_MANIFEST_BYTES = 1024 * 1024;

/** What detectors read, in the root. */
const MANIFESTS: readonly string[] =
  `justfile Justfile .justfile GNUmakefile makefile Makefile package.json pnpm-workspace.yaml
  Taskfile.yml taskfile.yml Taskfile.yaml taskfile.yaml composer.json tox.ini noxfile.py
  .pre-commit-config.yaml Cargo.toml go.mod go.work pyproject.toml setup.cfg pytest.ini .pytest.ini
  requirements.txt requirements-dev.txt requirements_dev.txt dev-requirements.txt
  test-requirements.txt requirements-test.txt deno.json deno.jsonc Gemfile Rakefile CMakeLists.txt
  build.zig`.split(/\s+/);

/** What detectors want to know of below the root, whether it is there. */
const BELOW: readonly string[] =
  `.venv/bin/python bin/rails vendor/bin/phpunit build/CMakeCache.txt _build/CMakeCache.txt
  out/CMakeCache.txt cmake-build-debug/CMakeCache.txt`.split(/\s+/);

const MOST_TESTS = 200;
const MOST_TESTS_READ = 8;
/** Manifests above changed files, for choosing tests. */
const NEAREST = ["Cargo.toml", "package.json", "go.mod"];
const MOST_FOLDERS = 64;

/** Reads what detectors need; what cannot be read is not there. */
export async function readProject(
  workspace: Workspace,
  path: string | undefined,
  changed: readonly string[],
): Promise<Project> {
  const { root } = workspace;
  const [entries, profile, above] = await Promise.all([
    readdir(root, { withFileTypes: true }).catch(() => []),
    readProfile(root),
    readFoldersAbove(root),
  ]);
  const findSecretName = createFindSecretName(workspace);
  const names = new Set(
    entries
      .filter((entry) => !entry.isSymbolicLink() || staysInside(entry.name))
      .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name)),
  );
  function staysInside(name: string): boolean {
    return resolvePath(workspace, name, "read", findSecretName).ok;
  }
  const tests = await listTests(root, profile.testRoots);
  const executables = new Set<string>();
  for (const each of [...BELOW, "mvnw", "gradlew"]) {
    const stat = statSync(join(root, each), { throwIfNoEntry: false });
    if (!stat?.isFile()) continue;
    names.add(each);
    if ((stat.mode & 0o111) !== 0) executables.add(each);
  }
  for (const each of tests) names.add(each);
  const readable = tests.filter((each) => isTestModule(basename(each))).slice(0, MOST_TESTS_READ);
  const manifests = MANIFESTS.filter((name) => names.has(name));
  const modules = [...names].filter(isTestModule).slice(0, MOST_TESTS_READ);
  const texts = await readTexts(workspace, [
    ...manifests,
    ...modules,
    ...readable,
    ...manifestsOver(changed),
  ]);
  const memory = readProjectMemory(workspace);
  const preferences = memory.ok ? memory.memory : {};
  return {
    names,
    texts,
    executables,
    profile,
    above,
    network: workspace.checkNetwork ?? false,
    hasProgram: (name) => Bun.which(name, { PATH: path ?? "" }) !== null,
    preferredTest: preferences["project.default_test_command"],
    preferredManager: preferences["project.package_manager"],
    changed,
  };
}

/** Whether Python's own runner takes it for tests. */
function isTestModule(name: string): boolean {
  return /^test\w*\.py$/u.test(name);
}

async function listTests(root: string, folders: readonly string[]): Promise<readonly string[]> {
  const listed = await Promise.all(
    folders.map(async (folder) => {
      const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(() => []);
      const files = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
      return files
        .toSorted()
        .slice(0, MOST_TESTS)
        .map((name) => `${folder}/${name}`);
    }),
  );
  return listed.flat();
}

function manifestsOver(changed: readonly string[]): readonly string[] {
  const folders = new Set<string>();
  for (const path of changed) {
    for (let folder = dirname(path); folder !== "."; folder = dirname(folder)) folders.add(folder);
  }
  return [...folders]
    .slice(0, MOST_FOLDERS)
    .flatMap((folder) => NEAREST.map((name) => `${folder}/${name}`));
}

async function readTexts(
  workspace: Workspace,
  paths: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const findSecretName = createFindSecretName(workspace);
  const read = paths.map(async (path) => {
    const guarded = resolvePath(workspace, path, "read", findSecretName);
    if (!guarded.ok || !guarded.stat?.isFile()) return [];
    const file = await readWholeFile(guarded, MOST_MANIFEST_BYTES);
    const text = file.ok ? decodeUtf8(file.bytes) : undefined;
    return text === undefined ? [] : [[path, toPlainText(text)] as const];
  });
  return new Map((await Promise.all(read)).flat());
}

/** Without byte-order mark, and with one kind of line end. */
export function toPlainText(text: string): string {
  return text.replace(/^\uFEFF/u, "").replaceAll("\r\n", "\n");
}
