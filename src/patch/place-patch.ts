import { shorten } from "../core/cut-text.ts";
import { describeHunks } from "./describe-hunks.ts";
import type { HasLine, Hunk } from "./hunks/hunks.ts";
import { chooseHunks, isDotsComment, standsForLines } from "./hunks/hunks.ts";
import { splitSource } from "./lines/lines.ts";
import type { PatchPlacing, PatchRefusal } from "./patch-result.ts";
import { hasOneBlankMore, type Misfit, matchesAt, placeHunks } from "./places/places.ts";
import { spliceHunks } from "./splice-hunks.ts";

/** Settings of {@link placePatch}. */
export interface PatchOptions {
  /**
   * The file that is patched: picks its part of a patch about several, and is quoted in messages.
   */
  readonly path?: string;
}

/** More hunks than any file needs; bounds the work on hostile input. */
const MOST_HUNKS = 20_000;

/** As `applyPatch`, which says in words what was tolerated. */
export function placePatch(
  source: string,
  patch: string,
  options: PatchOptions = {},
): PatchPlacing {
  const { path } = options;
  const text = splitSource(source);
  const hasLine = lookUp(text.lines);
  const chosen = chooseHunks(patch, path, hasLine);
  if (!chosen.ok) return chosen;
  const { hunks } = chosen;
  const fault = unfit(text.lines, hunks, chosen.creates) ?? findPlaceholder(hunks, hasLine);
  if (fault !== undefined) return refuse([fault], path);
  const placing = placeHunks(text.lines, hunks);
  if (placing.kind === "misfits") return refuse(placing.misfits, path);
  const [first] = placing.placements;
  const isQuoted = placing.placements.every(({ place }) => place.match === "quoted");
  if (first !== undefined && isQuoted && hasOneBlankMore(hunks)) {
    const code = "ERR_PATCH_APPLY_FAILED";
    return refuse([{ hunk: first.hunk, code, reason: ONE_BLANK_MORE }], path);
  }
  const splicing = spliceHunks(text, placing.placements);
  if (splicing.kind === "misfits") return refuse(splicing.misfits, path);
  return {
    ok: true,
    text: splicing.text,
    hunks: describeHunks(placing.placements, splicing.skipped),
  };
}

/** Whether the file has a line; few patches have to ask. */
function lookUp(lines: readonly string[]): HasLine {
  let known: ReadonlySet<string> | undefined;
  let exact: ReadonlySet<string> | undefined;
  return (line, how) => {
    if (how === "exactly") return (exact ??= new Set(lines)).has(line);
    known ??= new Set(lines.map((own) => own.trim()));
    return known.has(line.trim());
  };
}

const ONE_BLANK_MORE =
  "all lines that it adds begin with one blank more than the lines around; put no blank between a marker and its line";

/** What makes a patch unfit before its places are looked for. */
function unfit(
  lines: readonly string[],
  hunks: readonly Hunk[],
  creates: boolean,
): Misfit | undefined {
  const code = "ERR_PATCH_APPLY_FAILED";
  for (const hunk of hunks) if (hunk.fault !== undefined) return { hunk, code, reason: hunk.fault };
  const [first, excess] = [hunks[0], hunks[MOST_HUNKS]];
  if (excess !== undefined) {
    return { hunk: excess, code, reason: `the patch has over ${MOST_HUNKS} hunks; split it` };
  }
  if (
    creates &&
    first?.before.length === 0 &&
    lines.length > 0 &&
    !matchesAt(lines, first.after, 0)
  ) {
    return { hunk: first, code, reason: "it makes a new file, but the file has text; patch that" };
  }
  return undefined;
}

/** A comment that is put in the place of lines would be all that is left of them. */
function findPlaceholder(hunks: readonly Hunk[], hasLine: HasLine): Misfit | undefined {
  const code = "ERR_PATCH_APPLY_FAILED";
  for (const hunk of hunks) {
    if (!hunk.lines.some(({ kind }) => kind === "remove")) continue;
    const isLess = hunk.after.length < hunk.before.length;
    const stand = hunk.lines.find(
      ({ kind, text }) =>
        kind === "add" &&
        (standsForLines(text) || (isLess && isDotsComment(text))) &&
        !hasLine(text),
    );
    if (stand === undefined) continue;
    const shown = shorten(stand.text.trim(), 80);
    return { hunk, code, reason: `it adds "${shown}" in place of lines; write those out` };
  }
  return undefined;
}

function refuse(misfits: readonly Misfit[], path: string | undefined): PatchRefusal {
  const target = path === undefined ? "" : ` to "${path}"`;
  const parts = misfits.map(({ hunk, reason }) => `hunk ${hunk.number}${target}: ${reason}`);
  const hints = misfits.flatMap(({ hint }) => (hint === undefined ? [] : [hint]));
  return {
    ok: false,
    code: misfits[0]?.code ?? "ERR_PATCH_APPLY_FAILED",
    message: `Cannot apply ${parts.join("; ")}`,
    ...(hints.length > 0 && { hint: hints.join("\n") }),
  };
}
