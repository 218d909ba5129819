import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import schema from "../../schemas/golden_schema.json" with { type: "json" };
import { AppError } from "../core/app-error.ts";
import { normalisePath } from "../core/relative-path.ts";
import type { Action } from "../protocol/response.ts";
import { validateResponse } from "../protocol/validate-response.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { Golden } from "./golden-schema.ts";
import { type KeptTree, keepTree } from "./keep-tree.ts";
import type { ContextFile } from "./trace.ts";

/** A golden, and what of the workspace is kept next to it. */
export interface GoldenParts {
  readonly golden: Golden;
  readonly tree: KeptTree;
}

/** What a golden takes from elsewhere than the trace. */
export interface GoldenSources {
  readonly workspace: Workspace;
  /** Most actions of one transaction in the workspace. */
  readonly maxActions: number;
  /** A file that this would change holds a secret and is not kept. */
  readonly redact: (text: string) => string;
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * The golden of a trace: how the answer was asked for, the answer, how it was checked, and the
 * files that it names as far as they are still what they were. Nothing that the model wrote apart from
 * its valid answer goes in.
 *
 * Loads ajv: import this module when there is a trace.
 *
 * @throws AppError ERR_USAGE for a chat, and for a trace without a valid answer
 */
export function toGolden(trace: Fields, sources: GoldenSources): GoldenParts {
  const { workspace, maxActions, redact } = sources;
  const actions = readActions(trace);
  const code = trace["error_code"] ?? null;
  const parsed = parseGolden({
    protocol: pick(trace, PROTOCOL),
    request: pick(trace, REQUEST),
    context: {
      ...pick(trace, ["context_stats", "cache_stats"]),
      files: trace["context_files"] ?? basesOf(actions, code),
    },
    rules: {
      max_actions: maxActions,
      normalize_eol: normalizeEolOf(trace),
      protected_paths: [...workspace.protectedPaths],
    },
    result: {
      validated_json: trace["validated_json"],
      validation_outcome: code === null ? "ok" : "error",
      error_code: code,
    },
    tree: "kept",
  });
  if (!parsed.ok) throw refuse(trace, parsed.problems.join("; "));
  const { golden } = parsed;
  const tree = keepTree(workspace, actions, {
    shown: new Map(golden.context.files.map((file) => [file.path, file.sha256])),
    endedAt: Date.parse(String(trace["started_at"])) + Number(trace["duration_ms"]),
    code: golden.result.error_code,
    redact,
  });
  if (tree.missing.length === 0) return { golden, tree };
  return { golden: { ...golden, tree: `missing: ${tree.missing.map(toText).join("; ")}` }, tree };
}

const PROTOCOL: readonly (keyof Golden["protocol"])[] = [
  "schema_version",
  "schema_hash",
  "protocol_default",
  "protocol_attempts",
  "protocol_repair_attempt",
  "repair_code",
  "protocol_fallback_attempted",
  "protocol_fallback_reason",
  "protocol_fallback_stage",
  "repair_injected_sha256",
  "repair_injected_paths",
];
const REQUEST: readonly (keyof Golden["request"])[] = [
  "mode",
  "provider",
  "model",
  "strict_json",
  "token_budget",
  "input_chars",
];

/** A parsed file as a golden, or what is wrong with it. */
export function parseGolden(
  value: unknown,
):
  | { readonly ok: true; readonly golden: Golden }
  | { readonly ok: false; readonly problems: readonly string[] } {
  if (isGolden(value)) return { ok: true, golden: value };
  return { ok: false, problems: (isGolden.errors ?? []).map(describe) };
}

const isGolden: ValidateFunction<Golden> = new Ajv({ allErrors: true }).compile(schema);

function describe({ instancePath, message = "is not valid" }: ErrorObject): string {
  return `${instancePath.slice(1).replaceAll("/", ".") || "the golden"} ${message}`;
}

/** The actions of the answer, which must be valid under its version: others check nothing. */
function readActions(trace: Fields): readonly Action[] {
  const { mode, schema_version: version, validated_json: answer } = trace;
  if (mode !== "plan" && mode !== "apply") throw refuse(trace, "it is of a chat");
  if (trace["fix"] !== undefined)
    throw refuse(trace, "it is of a correction, whose files were nowhere");
  if (version !== 1 && version !== 2 && version !== 3) throw refuse(trace, "it has no version");
  if (answer === undefined)
    throw refuse(trace, "it has no valid answer that could be evaluated again");
  const valid = validateResponse(answer, { version, mode });
  if (valid.ok) return valid.response.actions;
  throw refuse(trace, `its answer is not valid: ${valid.errors.join("; ")}`);
}

/** For a trace that does not say what was shown: at least what the answer was written from. */
function basesOf(actions: readonly Action[], code: unknown): readonly ContextFile[] {
  if (code === "ERR_UPDATE_WITHOUT_BASE") return [];
  return actions.flatMap((action) => {
    const normal = normalisePath(action.path);
    if (!normal.ok || !("base_sha256" in action)) return [];
    return [{ path: normal.path, sha256: action.base_sha256, whole: true }];
  });
}

function normalizeEolOf({ config_snapshot: snapshot }: Fields): unknown {
  const protocol = isObject(snapshot) ? snapshot["protocol"] : undefined;
  return (isObject(protocol) ? protocol["normalize_eol"] : undefined) ?? "keep";
}

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null;
}

function pick(fields: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(
    names.flatMap((name) => (name in fields ? [[name, fields[name]]] : [])),
  );
}

function toText({ path, reason }: KeptTree["missing"][number]): string {
  return `${JSON.stringify(path)}: ${reason}`;
}

function refuse(trace: Fields, reason: string): AppError {
  const message = `Cannot make a golden of the trace "${String(trace["trace_id"])}": ${reason}; take a plan or an apply from papayu trace list`;
  return new AppError("ERR_USAGE", message);
}
