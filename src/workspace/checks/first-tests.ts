import { dirname, posix } from "node:path";
import type { CheckCommand } from "../workspace.ts";
import { isMember, scriptsOf, workspacesIn } from "./node.ts";
import type { Project } from "./project.ts";
import { parseToml, tableIn } from "./read-text.ts";

/** Packages or files that are tested first; a change to more of them is tested as a whole. */
const MOST_CHOSEN = 8;

/**
 * The checks with the tests of what was changed before the whole of them, where the way from a file
 * to its tests is exact: packages of a workspace, packages of Go, test files of pytest.
 */
export function withTestsOfChange(
  project: Project,
  checks: readonly CheckCommand[],
): readonly CheckCommand[] {
  if (project.changed.length === 0) return checks;
  return checks.flatMap((check) => {
    if (check.name !== "test") return [check];
    const argv = chooseFirst(project, check.argv);
    if (!argv) return [check];
    const from = `${check.from ?? "detected"}, what changed first`;
    return [{ name: "test", argv, from }, check];
  });
}

function chooseFirst(project: Project, argv: readonly string[]): readonly string[] | undefined {
  const [program, ...rest] = argv;
  if (program === "cargo" && rest[0] === "test" && rest.includes("--workspace")) {
    const names = exact(project, (path) => crateOf(project, path));
    const others = argv.filter((word) => word !== "--workspace");
    return names && [...others, ...names.flatMap((name) => ["-p", name])];
  }
  if (program === "go" && rest.join(" ") === "test ./...") {
    const folders = exact(project, (path) => goPackageOf(project, path));
    return folders && ["go", "test", ...folders];
  }
  if (program === "npm" && rest.join(" ") === "run test") {
    const folders = exact(project, (path) => npmPackageOf(project, path));
    return folders && [...argv, ...folders.flatMap((folder) => ["-w", folder])];
  }
  if (argv.slice(-3).join(" ") === "-m pytest -q") {
    const files = project.changed.filter(isPytestFile);
    const isFew = files.length > 0 && files.length <= MOST_CHOSEN;
    return isFew ? [...argv, ...[...files].toSorted()] : undefined;
  }
  return undefined;
}

/** What every changed file belongs to; undefined when one belongs to nothing, or there are many. */
function exact(
  { changed }: Project,
  ownerOf: (path: string) => string | undefined,
): readonly string[] | undefined {
  const owners = new Set<string>();
  for (const path of changed) {
    const owner = ownerOf(path);
    if (owner === undefined) return undefined;
    owners.add(owner);
  }
  return owners.size <= MOST_CHOSEN ? [...owners].toSorted() : undefined;
}

/** The crate of the nearest manifest, by a name that is only a name. */
function crateOf({ texts }: Project, path: string): string | undefined {
  const folder = nearest(texts, path, "Cargo.toml");
  if (folder === undefined) return undefined;
  const manifest = parseToml(texts.get(`${folder}/Cargo.toml`));
  const globs = tableIn(parseToml(texts.get("Cargo.toml")), "workspace")["members"];
  const members = Array.isArray(globs) ? globs.filter((each) => typeof each === "string") : [];
  const { name } = tableIn(manifest, "package");
  if (!isMember(members, folder) || typeof name !== "string") return undefined;
  return /^[A-Za-z_][\w-]*$/u.test(name) ? name : undefined;
}

/** The folder of a Go file in the module of the root. */
function goPackageOf({ texts }: Project, path: string): string | undefined {
  if (!path.endsWith(".go") || nearest(texts, path, "go.mod") !== undefined) return undefined;
  const folder = dirname(path);
  const isOdd = folder.split("/").some((part) => /^[._]|^(?:testdata|vendor)$/u.test(part));
  if (folder === ".") return ".";
  return isOdd || !isPlain(folder) ? undefined : `./${folder}`;
}

/** The package of the nearest manifest, when npm counts it among its own and it has tests. */
function npmPackageOf({ texts }: Project, path: string): string | undefined {
  const folder = nearest(texts, path, "package.json");
  if (folder === undefined || !isPlain(folder)) return undefined;
  const isOwn = isMember(workspacesIn(texts), folder);
  return isOwn && "test" in scriptsOf(texts.get(`${folder}/package.json`)) ? folder : undefined;
}

function isPytestFile(path: string): boolean {
  return isPlain(path) && /(?:^|\/)(?:test_[^/]*|[^/]*_test)\.py$/u.test(path);
}

/** No option, and nothing that a program could take for more than a path. */
function isPlain(path: string): boolean {
  return /^[\w@][\w@./ +-]*$/u.test(path) && posix.normalize(path) === path;
}

/** The nearest folder above a file that has the manifest; the root does not count. */
function nearest(
  texts: ReadonlyMap<string, string>,
  path: string,
  manifest: string,
): string | undefined {
  for (let folder = dirname(path); folder !== "."; folder = dirname(folder)) {
    if (texts.has(`${folder}/${manifest}`)) return folder;
  }
  return undefined;
}
