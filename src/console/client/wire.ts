import type { Hunk } from "../diff/diff.ts";
import { type FileEntry, readFile } from "./file-entry.ts";
import { type Act, readAct } from "./item.ts";
import { list, maybe, number, object, text, time } from "./read-json.ts";
import {
  type Comment,
  type LeftPart,
  type Previous,
  readComment,
  readLeftPart,
  readPrevious,
} from "./revision.ts";

export type { FileEntry } from "./file-entry.ts";
export type { Act, Inbox, Item } from "./item.ts";
export { readAct, readInbox } from "./item.ts";
export type { Comment, LeftPart, Previous } from "./revision.ts";

/** Words of a line of what was printed, and how they look: names such as "bold red". */
export interface Look {
  readonly line: number;
  readonly from: number;
  readonly to: number;
  readonly names: string;
}

/** One check, and what it printed. */
export interface Stage {
  readonly command: string;
  readonly ok: boolean;
  readonly took_ms: number | undefined;
  readonly output: string | undefined;
  readonly looks: readonly Look[];
}

/** What the checks came to. */
export interface CheckReport {
  readonly ok: boolean;
  readonly stages: readonly Stage[];
}

/** What became of a change set. */
export interface Outcome {
  readonly ok: boolean;
  readonly status: string;
  /** What every channel says of it. */
  readonly text: string;
  readonly actions: readonly Act[];
}

/** A change set that is asked about, or was. */
export interface ChangeSet {
  readonly approval_id: string;
  readonly workspace: string;
  readonly goal: string;
  readonly summary: string;
  readonly state: string;
  readonly asked_at: number | undefined;
  readonly expires_at: number | undefined;
  readonly digest: string;
  readonly checks: readonly string[];
  readonly check: CheckReport | undefined;
  readonly notes: readonly string[];
  readonly side_effects: readonly string[];
  readonly files: readonly FileEntry[];
  readonly actions: readonly Act[];
  readonly outcome: Outcome | undefined;
  /** The files in the folder are others by now than those that were shown. */
  readonly isOutdated: boolean;
  readonly previous: Previous | undefined;
  /** Its checks were found in the folder, nobody has seen them, and they run then: before or after the swap. */
  readonly unseen: string | undefined;
  /** What writes is not offered: papa-yu may only read. */
  readonly locked: boolean;
  /** What took its place. */
  readonly next: string | undefined;
  /** What is about to be said of it. */
  readonly drafts: readonly Comment[];
  /** What was left out of the version before to come to it. */
  readonly leftOut: readonly LeftPart[];
  /** What is about to be left out of it. */
  readonly unticked: readonly LeftPart[];
}

/** A file of a change set with its texts. */
export interface FileContent {
  readonly before: string | null;
  readonly after: string | null;
  readonly hunks: readonly Hunk[];
}

/** Who is signed in, and with what they talk. */
export interface SignedIn {
  readonly version: string;
  readonly boot_id: string;
  readonly language: string;
  /** The owner, or somebody else, who sees what is theirs. */
  readonly role: "owner" | "other";
}

/** What became of a piece of work that was asked for. */
export interface WorkReport {
  readonly state: "running" | "ended" | "unknown";
  /** It came, and was begun; what it is known of is in its conversation. */
  readonly isReceived: boolean;
  /** It was cut off while something ran, and nobody knows whether that took effect. */
  readonly mayHaveRun: boolean;
  /** Why changes did not come about. */
  readonly failures: readonly string[];
  /** The newest question that came of it. */
  readonly asked: string | undefined;
}

/** Reads what `GET /api/console/session` gives. */
export function readSignedIn(value: unknown): SignedIn {
  const { version, boot_id, language, person } = object(value);
  const role = object(person)["role"] === "owner" ? "owner" : "other";
  return { version: text(version), boot_id: text(boot_id), language: text(language), role };
}

/** Reads what `GET /api/change-sets/ID` gives. */
export function readChangeSet(value: unknown): ChangeSet {
  const it = object(value);
  return {
    approval_id: text(it["approval_id"]),
    workspace: text(it["workspace"]),
    goal: text(it["goal"]),
    summary: text(it["summary"]),
    state: text(it["state"]),
    digest: text(it["digest"]) || text(it["change_set_id"]),
    checks: list(it["checks"]).map((each) => text(object(each)["command"])),
    notes: list(it["notes"]).map(text),
    side_effects: list(it["side_effects"]).map(readSideEffect),
    files: list(it["files"]).map(readFile),
    actions: list(it["actions"]).map(readAct),
    isOutdated: it["outdated"] === true,
    locked: it["locked"] !== undefined,
    unseen: maybe(it["unseen"], text),
    asked_at: maybe(it["asked_at"], time),
    expires_at: maybe(it["expires_at"], time),
    check: maybe(it["check"], readCheck),
    previous: maybe(it["previous"], readPrevious),
    next: maybe(it["next"], text),
    drafts: list(it["drafts"]).map(readComment),
    leftOut: list(it["left_out"]).map(readLeftPart),
    unticked: list(it["unticked"]).map(readLeftPart),
    outcome: maybe(it["outcome"], readOutcome),
  };
}

/** Reads what `GET /api/change-sets/ID/files/N` gives. */
export function readContent(value: unknown): FileContent {
  const { before, after, hunks } = object(value);
  return {
    before: typeof before === "string" ? before : null,
    after: typeof after === "string" ? after : null,
    hunks: list(hunks).map(readHunk),
  };
}

/** Reads what `GET /api/work/ID` gives. */
export function readWork(value: unknown): WorkReport {
  const { state, received, may_have_run: mayHaveRun, outcomes, approval } = object(value);
  return {
    state: state === "running" || state === "ended" ? state : "unknown",
    isReceived: received === true,
    mayHaveRun: mayHaveRun === true,
    failures: list(outcomes)
      .map((each) => text(object(each)["error"]))
      .filter(Boolean),
    asked: maybe(approval, (question) => text(object(question)["approval_id"])) || undefined,
  };
}

function readHunk(value: unknown): Hunk {
  const it = object(value);
  return {
    old_start: number(it["old_start"]),
    old_lines: number(it["old_lines"]),
    new_start: number(it["new_start"]),
    new_lines: number(it["new_lines"]),
    lines: maybe(it["lines"], (lines) => list(lines).map(text)),
    same: maybe(it["same"], (same) => same === true),
  };
}

function readCheck(value: unknown): CheckReport {
  const { ok, stages } = object(value);
  return {
    ok: ok === true,
    stages: list(stages).map((each) => {
      const it = object(each);
      return {
        command: list(it["command"]).map(text).join(" ") || text(it["name"]),
        ok: it["exit_code"] === 0 && it["timed_out"] !== true,
        took_ms: maybe(it["duration_ms"], number),
        output: maybe(it["output"], text),
        looks: readLooks(it["looks"]),
      };
    }),
  };
}

/** Reads the colours of what was printed. */
export function readLooks(value: unknown): readonly Look[] {
  return list(value).map((each) => {
    const [line, from, to, names] = list(each);
    return { line: number(line), from: number(from), to: number(to), names: text(names) };
  });
}

function readOutcome(value: unknown): Outcome {
  const it = object(value);
  return {
    ok: it["ok"] === true,
    status: text(it["status"]),
    text: text(it["text"]),
    actions: list(it["actions"]).map(readAct),
  };
}

function readSideEffect(value: unknown): string {
  return typeof value === "string" ? value : text(object(value)["path"]);
}
