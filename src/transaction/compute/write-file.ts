import { decodeUtf8 } from "../../core/decode-utf8.ts";
import { type Action, isStated } from "../../protocol/response.ts";
import type { ProtocolVersion } from "../../protocol/version.ts";
import type { FileThere, There } from "./base-tree.ts";
import type { Draft } from "./draft.ts";
import { baseMismatch, conflict, type Fault, fault, missing, noText } from "./fault.ts";
import type { Rights } from "./rights.ts";

/** The settings of protocol and configuration that decide how actions are interpreted. */
export interface ComputeRules {
  /** Under v1 an existing file is written whole; above, it is patched or edited. */
  readonly version: ProtocolVersion;
  /** Line ends of new content: as written, or always LF. */
  readonly normalizeEol: "keep" | "lf";
  /** sha256 by path of the files that the plan showed. */
  readonly seen: Readonly<Record<string, string>>;
  /** Those that it showed whole, and that may therefore be written whole. */
  readonly whole: readonly string[];
}

/** An action that brings the whole content of a file. */
export type WriteAction = Extract<Action, { kind: "CREATE_FILE" | "UPDATE_FILE" }>;

/** Makes a file; an existing one is written over only under v1, and only as it was shown. */
export function writeFile(
  draft: Draft,
  rules: ComputeRules,
  action: WriteAction,
  found: There,
  toRights: () => Rights,
): Fault | undefined {
  if (found.kind === "folder") return fault("ERR_CREATE_EXISTS", action, "a folder has this name");
  const normalizeEol = isStated(action) ? "keep" : rules.normalizeEol;
  const written = { ...action, content: toLineEnds(action.content, normalizeEol) };
  if (action.kind === "CREATE_FILE") return createFile(draft, rules, written, found, toRights);
  if (found.kind !== "file") return nothingToUpdate(rules, action);
  return rules.version === 1
    ? replaceFile(draft, rules, written, found)
    : byPatch("ERR_V2_UPDATE_EXISTING_FORBIDDEN", action, found);
}

function createFile(
  draft: Draft,
  { version }: ComputeRules,
  action: WriteAction,
  found: Exclude<There, { kind: "folder" }>,
  toRights: () => Rights,
): Fault | undefined {
  const bytes = Buffer.from(action.content);
  if (found.kind !== "file") {
    const rights = toRights();
    if ("fault" in rights) return rights.fault;
    return draft.create(action.path, bytes, rights) ? undefined : conflict(action);
  }
  if (found.bytes.equals(bytes)) return undefined;
  return version === 1
    ? fault("ERR_CREATE_EXISTS", action, "the file exists; use UPDATE_FILE")
    : byPatch("ERR_CREATE_EXISTS", action, found);
}

function byPatch(code: Fault["code"], action: WriteAction, { state }: FileThere): Fault {
  const hint = `use PATCH_FILE with base_sha256 ${state.sha256}`;
  return { ...fault(code, action, "the file exists; patch it instead"), hint };
}

/** The file that was shown is gone, or was never there. */
function nothingToUpdate({ seen }: ComputeRules, action: WriteAction): Fault {
  if (Object.hasOwn(seen, action.path)) return missing(action);
  const reason = "it does not exist; name an existing file";
  return { ...fault("ERR_UPDATE_WITHOUT_BASE", action, reason), hint: "use CREATE_FILE" };
}

/** A whole file takes the place only of one that was shown whole, and keeps its line ends. */
function replaceFile(
  draft: Draft,
  { seen, whole, normalizeEol }: ComputeRules,
  action: WriteAction,
  found: FileThere,
): Fault | undefined {
  const { path, content } = action;
  const want = Object.hasOwn(seen, path) ? seen[path] : undefined;
  const old = decodeUtf8(found.bytes);
  if (want === undefined) {
    if (old === undefined) return noText(action, "ERR_UPDATE_WITHOUT_BASE");
    return notShown(action, "the plan did not show it; name it in the goal");
  }
  if (found.state.sha256 !== want) return baseMismatch(action, found.state.sha256, want);
  if (!whole.includes(path)) {
    return notShown(action, "the plan showed only a part of it; name it in the goal");
  }
  if (old === undefined) return noText(action);
  const text = normalizeEol === "lf" ? content : withLineEndsOf(old, content);
  if (text !== old) draft.update(path, found, Buffer.from(text), found.state.mode);
  return undefined;
}

function notShown(action: WriteAction, reason: string): Fault {
  return { ...fault("ERR_UPDATE_WITHOUT_BASE", action, reason), hint: "leave it out" };
}

/** Content as it is written: with `lf` every line ends with LF alone. */
function toLineEnds(content: string, normalizeEol: "keep" | "lf"): string {
  return normalizeEol === "lf" ? content.replaceAll("\r\n", "\n") : content;
}

/**
 * `content` with the byte-order mark and the line ends of the text it replaces: models
 * write LF even where they were shown CRLF. A file with mixed line ends is no model to follow.
 */
function withLineEndsOf(old: string, content: string): string {
  const lines = content.startsWith(BOM) ? content.slice(1) : content;
  const hasCrlf = old.includes("\r\n");
  const hasLf = /(?<!\r)\n/.test(old);
  const isOfOneKind = hasCrlf !== hasLf;
  const ended = isOfOneKind ? lines.replace(/\r?\n/g, hasCrlf ? "\r\n" : "\n") : lines;
  return old.startsWith(BOM) ? BOM + ended : ended;
}

const BOM = "\uFEFF";
