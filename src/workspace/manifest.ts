import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { decodeUtf8 } from "../core/decode-utf8.ts";
import { readWholeFile } from "./read-file.ts";

/** What a project is built with; "plain" when no manifest says. */
export type ProjectKind = "node" | "rust" | "python" | "go" | "plain";

/** Who installs packages and runs scripts in a node-like project. */
export type PackageManager = "bun" | "pnpm" | "yarn" | "npm";

/** What a project says about itself in its manifest; what it does not say is undefined. */
export interface Manifest {
  readonly kind: ProjectKind;
  readonly name: string | undefined;
  readonly description: string | undefined;
  readonly license: string | undefined;
  readonly author: string | undefined;
  /** Only of a node-like project. */
  readonly packageManager: PackageManager | undefined;
  /** Commands by name, as package.json has them. */
  readonly scripts: Readonly<Record<string, string>>;
  /** Names of all declared dependencies, sorted. */
  readonly dependencies: readonly string[];
}

/**
 * Reads the manifest in `root`: package.json, Cargo.toml, pyproject.toml, go.mod, in this order.
 * One that does not parse still tells the kind. Never throws.
 */
export async function readManifest(root: string): Promise<Manifest> {
  const entries = new Set(await readdir(root).catch(() => []));
  if (entries.has("package.json")) return readPackageJson(root, entries);
  if (entries.has("Cargo.toml")) return readCargo(root);
  if (PYTHON_FILES.some((name) => entries.has(name))) return readPyproject(root);
  if (entries.has("go.mod")) return readGoMod(root);
  return { ...NOTHING, kind: "plain" };
}

/** A longer manifest is none. */
const MOST_BYTES = 1024 * 1024;

const PYTHON_FILES = ["pyproject.toml", "setup.py", "setup.cfg", "requirements.txt"];

const LOCK_FILES: readonly (readonly [string, PackageManager])[] = [
  ["bun.lock", "bun"],
  ["bun.lockb", "bun"],
  ["pnpm-lock.yaml", "pnpm"],
  ["yarn.lock", "yarn"],
  ["package-lock.json", "npm"],
  ["npm-shrinkwrap.json", "npm"],
  ["bunfig.toml", "bun"],
];

/** What is longer is no name and no description. */
const MAX_TEXT_CHARS = 500;

type Table = Readonly<Record<string, unknown>>;

const NOTHING: Omit<Manifest, "kind"> = {
  name: undefined,
  description: undefined,
  license: undefined,
  author: undefined,
  packageManager: undefined,
  scripts: {},
  dependencies: [],
};

async function readPackageJson(root: string, entries: ReadonlySet<string>): Promise<Manifest> {
  const json = parseTable(await readText(root, "package.json"), JSON.parse);
  const { author, dependencies, devDependencies, peerDependencies } = json;
  return {
    kind: "node",
    ...said(json),
    author: nonEmpty(author)?.replace(/\s*[<(].*$/su, "") ?? nonEmpty(table(author)["name"]),
    packageManager: packageManagerOf(json["packageManager"], entries) ?? "npm",
    scripts: scripts(json["scripts"]),
    dependencies: keysOf(dependencies, devDependencies, peerDependencies),
  };
}

/** The known one that a manifest declares, or whose lock file is next to it. */
export function packageManagerOf(
  declared: unknown,
  entries: ReadonlySet<string>,
): PackageManager | undefined {
  const name = typeof declared === "string" ? declared.split("@")[0] : undefined;
  const known = LOCK_FILES.find(([, manager]) => manager === name);
  return (known ?? LOCK_FILES.find(([file]) => entries.has(file)))?.[1];
}

/** What `npm init` writes for "test": it always fails. */
export function isNpmDefault(script: string): boolean {
  return script.includes("no test specified");
}

function scripts(value: unknown): Readonly<Record<string, string>> {
  const entries = Object.entries(table(value));
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}

async function readCargo(root: string): Promise<Manifest> {
  const toml = await readToml(root, "Cargo.toml");
  const dependencies = keysOf(toml["dependencies"], toml["dev-dependencies"]);
  return { ...NOTHING, kind: "rust", ...said(table(toml["package"])), dependencies };
}

async function readPyproject(root: string): Promise<Manifest> {
  const toml = await readToml(root, "pyproject.toml");
  const poetry = table(table(toml["tool"])["poetry"]);
  const dependencies = keysOf(poetry["dependencies"]);
  return {
    ...NOTHING,
    kind: "python",
    ...said({ ...poetry, ...table(toml["project"]) }),
    dependencies,
  };
}

async function readGoMod(root: string): Promise<Manifest> {
  const module = /^module\s+"?([^\s"]+)/mu.exec(await readText(root, "go.mod"))?.[1];
  const name = module?.split("/").findLast((part) => !/^v\d+$/u.test(part));
  return { ...NOTHING, kind: "go", name };
}

async function readText(root: string, name: string): Promise<string> {
  const file = await readWholeFile({ absolute: join(root, name), path: name }, MOST_BYTES);
  return (file.ok && decodeUtf8(file.bytes)?.replace(/^\uFEFF/u, "")) || "";
}

async function readToml(root: string, name: string): Promise<Table> {
  const { parse } = await import("smol-toml");
  return parseTable(await readText(root, name), parse);
}

function parseTable(text: string, parse: (text: string) => unknown): Table {
  try {
    return table(parse(text));
  } catch {
    return {};
  }
}

function table(value: unknown): Table {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}

function said(members: Table): Pick<Manifest, "name" | "description" | "license"> {
  return {
    name: nonEmpty(members["name"]),
    description: nonEmpty(members["description"]),
    license: nonEmpty(members["license"]),
  };
}

function nonEmpty(value: unknown): string | undefined {
  if (typeof value !== "string" || value.length > MAX_TEXT_CHARS) return undefined;
  return value.trim() === "" ? undefined : value;
}

function keysOf(...tables: readonly unknown[]): readonly string[] {
  return [...new Set(tables.flatMap((each) => Object.keys(table(each))))].toSorted();
}
