import type { Hunk } from "./hunk.ts";
import { type HasLine, isBodyLine, type PatchLines } from "./marked-lines.ts";
import { readHunk } from "./read-hunk.ts";
import { surveyPatch } from "./survey.ts";

/** What the lines above the hunks of one file begin with, in the order in which they come. */
const FILE_HEADERS = ["Index: ", "diff --git ", "--- ", "+++ "];

/** The part of a patch that is about one file. */
export interface PatchSection {
  /** Every name the headers give the file, as written; empty where there is no header. */
  readonly names: readonly string[];
  /** The old side is `/dev/null`: the patch makes the file. */
  readonly creates: boolean;
  readonly hunks: readonly Hunk[];
}

interface OpenSection {
  names: string[];
  creates: boolean;
  hunks: Hunk[];
  /** The last of its header lines, as an index of {@link FILE_HEADERS}. */
  header: number;
}

/**
 * Finds the hunks in what a model wrote around them: prose, code fences, headers of several
 * dialects or none. A section without hunks is left out; no hunks at all is an empty list.
 * `hasLine` says whether the file has a line.
 */
export function readPatch(patch: string, hasLine: HasLine): readonly PatchSection[] {
  const { lines, cut } = toPatchLines(patch);
  const source: PatchLines = { lines, cut, hasLine, ...surveyPatch(lines) };
  const sections = [createSection()];
  let count = 0;
  for (let at = 0; at < lines.length; ) {
    const next = readFileHeader(sections, lines[at] ?? "") ? at + 1 : at;
    if (!startsHunk(lines, next, next > at)) {
      at = Math.max(next, at + 1);
      continue;
    }
    const read = readHunk(source, next, count + 1);
    at = read.next;
    const { lines: body, fault } = read.hunk;
    if (fault === undefined && body.every((line) => line.kind === "keep")) continue;
    sections.at(-1)?.hunks.push(read.hunk);
    count++;
  }
  return sections.filter((section) => section.hunks.length > 0);
}

function toPatchLines(patch: string): Pick<PatchLines, "lines" | "cut"> {
  const text = patch.startsWith("\uFEFF") ? patch.slice(1) : patch;
  const lines = text.split("\n");
  const cut = lines.at(-1) !== "";
  if (!cut) lines.pop();
  if (!text.includes("\r")) return { lines, cut };
  return { lines: lines.map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line)), cut };
}

function createSection(): OpenSection {
  return { names: [], creates: false, hunks: [], header: -1 };
}

/** Takes in a line that names a file; behind hunks or out of order it begins another section. */
function readFileHeader(sections: OpenSection[], line: string): boolean {
  const header = FILE_HEADERS.findIndex((prefix) => line.startsWith(prefix));
  if (header < 0) return false;
  let section = sections.at(-1);
  if (section === undefined || section.hunks.length > 0 || section.header >= header) {
    sections.push((section = createSection()));
  }
  section.header = header;
  // A date follows a tab.
  const date = line.indexOf("\t");
  const name = line.slice(FILE_HEADERS[header]?.length, date < 0 ? undefined : date).trim();
  if (name.length > MOST_NAME_CHARS) return true;
  if (name === "/dev/null") section.creates ||= line.startsWith("---");
  else section.names.push(...gitNames(line, name));
  return true;
}

/** No path is longer; a longer header names nothing. */
const MOST_NAME_CHARS = 4096;

/** `diff --git a/x b/x` names both sides in one line. */
function gitNames(line: string, name: string): readonly string[] {
  if (!line.startsWith("diff --git ")) return [name];
  const cut = name.indexOf(" b/");
  return cut < 0 ? [] : [name.slice(0, cut), name.slice(cut + 1)];
}

/** `@@`, or changed lines directly below a `+++` line. */
function startsHunk(lines: readonly string[], at: number, behindHeader: boolean): boolean {
  const line = lines[at];
  if (line === undefined) return false;
  if (line.startsWith("@@")) return true;
  const named = behindHeader && (lines[at - 1]?.startsWith("+++ ") ?? false);
  return named && line !== "" && isBodyLine(line);
}
