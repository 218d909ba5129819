import { errorMessage, type Failure, toAppError } from "../core/app-error.ts";
import { writeDurably } from "../system/write-durably.ts";
import { inStateFolder, readStateFile } from "./state-folder.ts";
import { STATE_DIR, type Workspace } from "./workspace.ts";

const FILE = "project.json";
/** All known keys at their longest, and room for what else a person keeps there. */
const MAX_BYTES = 256 * 1024;

/** The keys that may be remembered, literally so in the file, and what each holds. */
const KEYS = {
  "user.preferred_style": "text",
  "user.ask_budget": "count",
  "user.risk_tolerance": "text",
  "user.default_language": "text",
  "user.output_format": "text",
  "project.default_test_command": "text",
  "project.default_lint_command": "text",
  "project.default_format_command": "text",
  "project.package_manager": "text",
  "project.build_command": "text",
  "project.src_roots": "paths",
  "project.test_roots": "paths",
  "project.ci_notes": "text",
} as const satisfies Readonly<Record<string, Shape>>;

type Shape = "text" | "count" | "paths";
type ValueOf<S extends Shape> = S extends "text"
  ? string
  : S extends "count"
    ? number
    : readonly string[];

/** One of the keys that may be remembered. */
export type MemoryKey = keyof typeof KEYS;

/** What project and person prefer; only what is set and of its proper type. */
export type ProjectMemory = { readonly [K in MemoryKey]?: ValueOf<(typeof KEYS)[K]> };

/** What `.papa-yu/project.json` remembers; empty when there is no such file. */
export function readProjectMemory(
  workspace: Workspace,
): { readonly ok: true; readonly memory: ProjectMemory } | Failure {
  const file = readTable(workspace);
  return file.ok ? { ok: true, memory: known(file.table) } : file;
}

/** The result of a memory patch. */
export interface MemoryApplied {
  readonly ok: true;
  /** Keys whose value is another one now. */
  readonly changed: readonly MemoryKey[];
  /** Keys that may not be remembered, or not with this value. */
  readonly ignored: readonly string[];
}

/**
 * Remembers what a model asked to be remembered: known keys only, all at once or not at all.
 * Everything else in the file stays; a file that cannot be read is left alone.
 */
export function applyMemoryPatch(
  workspace: Workspace,
  patch: Readonly<Record<string, unknown>>,
): MemoryApplied | Failure {
  const file = readTable(workspace);
  if (!file.ok) return file;
  const wanted = known(patch);
  const before = known(file.table);
  const changed = keysOf(wanted).filter((key) => !Bun.deepEquals(wanted[key], before[key]));
  const ignored = Object.keys(patch).filter((key) => !Object.hasOwn(wanted, key));
  if (changed.length === 0) return { ok: true, changed, ignored };
  const failure = write(workspace, { ...file.table, ...wanted });
  return failure ?? { ok: true, changed, ignored };
}

type Table = Readonly<Record<string, unknown>>;

function readTable(workspace: Workspace): { readonly ok: true; readonly table: Table } | Failure {
  const file = readStateFile(workspace, FILE, MAX_BYTES);
  if (!file.ok) return file;
  if (file.text === undefined) return { ok: true, table: {} };
  try {
    const value: unknown = JSON.parse(file.text);
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      return broken("it is not a JSON object");
    }
    return { ok: true, table: { ...value } };
  } catch (error) {
    return broken(errorMessage(error));
  }
}

function broken(reason: string): Failure {
  const message = `Cannot use "${STATE_DIR}/${FILE}": ${reason}; correct it or remove it`;
  return { ok: false, code: "ERR_IO", message };
}

function known(table: Table): ProjectMemory {
  const entries = keysOf(table).flatMap((key) => {
    const value = parse(KEYS[key], table[key]);
    return value === undefined ? [] : [[key, value] as const];
  });
  return Object.fromEntries(entries);
}

function keysOf(table: Table): readonly MemoryKey[] {
  return Object.keys(table).filter(isKey);
}

function isKey(key: string): key is MemoryKey {
  return Object.hasOwn(KEYS, key);
}

function parse(shape: Shape, value: unknown): string | number | readonly string[] | undefined {
  switch (shape) {
    case "text":
      return isText(value, 2000) ? value : undefined;
    case "count": {
      const count = typeof value === "string" && /^\d{1,9}$/.test(value) ? Number(value) : value;
      return Number.isSafeInteger(count) && Number(count) >= 0 ? Number(count) : undefined;
    }
    case "paths":
      return Array.isArray(value) && value.length <= 64 && value.every((path) => isText(path, 240))
        ? value
        : undefined;
    default:
      return shape satisfies never;
  }
}

function isText(value: unknown, maxChars: number): value is string {
  return typeof value === "string" && value.trim() !== "" && value.length <= maxChars;
}

function write(workspace: Workspace, table: Table): Failure | undefined {
  const text = `${JSON.stringify(table, null, 2)}\n`;
  if (Buffer.byteLength(text) > MAX_BYTES) return broken(`it would be over ${MAX_BYTES} bytes`);
  try {
    inStateFolder(workspace.root, (folder) => writeDurably(folder.entry(FILE), text));
    return undefined;
  } catch (error) {
    return { ok: false, code: "ERR_IO", message: `Cannot remember: ${toAppError(error).message}` };
  }
}
