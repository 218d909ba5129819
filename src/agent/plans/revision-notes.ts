import type { Comment } from "../../channels/press.ts";
import { shorten } from "../../core/cut-text.ts";
import { firstOf } from "../../core/few.ts";
import type { LeftChange } from "../../planner/operations.ts";
import { receiveText } from "../../security/injection.ts";
import type { GoalNote } from "../../store/plans/plans.ts";
import type { ChangeSet } from "../../transaction/change.ts";
import { invalid } from "../approval.ts";
import type { AgentCore } from "../deps.ts";
import { linesOfSide } from "./move-comments.ts";

const MOST_LISTED = 40;
/** A goal with all that was said of it has to fit the bound of goals. */
const MOST_LEFT_CHARS = 6000;
const MOST_PLACES_CHARS = 16_000;
const MOST_LINE_CHARS = 400;
/** Lines around one that a comment is about, and fewer where many comments have to be told of. */
const AROUND = [2, 1, 0];

/** What whoever plans the goal again is told, and why; names and lines are not the person's own words. */
export function renderLeftOut(
  left: readonly LeftChange[],
  why: readonly Comment[],
  core: AgentCore,
): GoalNote {
  const names = firstOf(left, MOST_LISTED).lines(
    ({ path, kind, lines }) =>
      `- ${lines ? "some changes of" : WHOLE[kind]} ${JSON.stringify(path)}`,
    (more) => `- and ${more} more`,
  );
  // Behind all names: of long lines some may be cut.
  const hunks = left.flatMap(({ path, lines }) =>
    lines ? [`In ${JSON.stringify(path)}:`, ...lines] : [],
  );
  const listed = quote(names.join("\n"), core, MOST_LEFT_CHARS);
  const reasons = why.map(({ text }, index) => `${index + 1}. ${text.trim()}`);
  const places = why.map((each, index) => `${index + 1} is about ${nameOf(each)}`);
  const told =
    why.length === 0
      ? ""
      : `\nThe user says why:\n${reasons.join("\n")}\n${quote(places.join("\n"), core, MOST_LEFT_CHARS)}`;
  const said = `The user left these parts out of what was planned for this before. Plan without them, and do not bring them back:\n${listed}${told}`;
  if (hunks.length === 0) return { said };
  return { said, about: quote(hunks.join("\n"), core, MOST_LEFT_CHARS) };
}

const WHOLE: Readonly<Record<LeftChange["kind"], string>> = {
  mkdir: "the new folder",
  create: "the new file",
  update: "all changes of",
  delete: "the removal of",
  rmdir: "the removal of the folder",
};

/**
 * What they are told that a person said of what was planned.
 *
 * @throws AppError APPROVAL_INVALID where a comment is about what was not shown
 */
export function renderComments(
  comments: readonly Comment[],
  {
    preview,
    changeSet,
  }: { readonly preview: { readonly summary?: string }; readonly changeSet: ChangeSet },
  core: AgentCore,
): GoalNote {
  const said = comments.map(
    ({ text, instead }, index) => `${index + 1}. ${instead ? `${INSTEAD}\n${text}` : text.trim()}`,
  );
  const planned = `What was planned: ${shorten(preview.summary ?? "", MOST_LINE_CHARS)}`;
  const places = comments.map((comment, index) => `${index + 1} is about ${nameOf(comment)}`);
  // Names and lines of files are nobody's words: they stand apart from what the person says.
  const ways = AROUND.map((around) => {
    const lines = comments.flatMap((comment, index) => {
      const shown = linesFor(comment, changeSet, around);
      if (shown === undefined) throw invalid((texts) => texts.comment.unknown(nameOf(comment)));
      return shown.length > 0 ? [`${index + 1}:\n${shown.join("\n")}`] : [];
    });
    return [planned, ...places, ...lines].join("\n");
  });
  const quoted = ways.find(({ length }) => length <= MOST_PLACES_CHARS) ?? ways.at(-1) ?? "";
  return {
    said: `The user read what was planned for this before, and wants this to be different:\n${said.join("\n")}`,
    about: `The places that each of these is about, as they would be with that plan; it was not carried out:\n${quote(quoted, core, MOST_PLACES_CHARS)}`,
  };
}

/** What they are told that a person wrote themselves. */
export function renderWritten(written: readonly Comment[], core: AgentCore): GoalNote {
  const lines = written.map((each) => `${nameOf(each)}:\n${each.text}`);
  return {
    said: "The user wrote some lines of what was planned for this themselves. Plan with them as they are.",
    about: quote(lines.join("\n"), core, MOST_PLACES_CHARS),
  };
}

/** Names the place of a comment. */
export function nameOf({ path, side, line, to }: Comment): string {
  if (path === undefined) return "the whole";
  const name = JSON.stringify(path);
  if (line === undefined) return name;
  const lines = to === undefined || to === line ? `line ${line}` : `lines ${line}-${to}`;
  return `${name}, ${lines} ${side === "before" ? "before the change" : "with the change"}`;
}

const INSTEAD = "These lines are to be, as they stand here:";

/** The lines that a comment is about and those around them; undefined: there are none such. */
function linesFor(
  comment: Comment,
  changeSet: ChangeSet,
  around: number,
): readonly string[] | undefined {
  const { path, line, to = line } = comment;
  if (path === undefined) return [];
  const change = changeSet.changes.find((each) => each.path === path);
  if (!change) return undefined;
  if (line === undefined || to === undefined) return [];
  const all = linesOfSide(comment, changeSet);
  if (!all || to > all.length) return undefined;
  return all.slice(Math.max(0, line - 1 - around), to + around).map((each, index) => {
    const number = Math.max(1, line - around) + index;
    const mark = number >= line && number <= to ? ">" : " ";
    return `${mark} ${number}: ${shorten(each, MOST_LINE_CHARS)}`;
  });
}

/** Lines of files are told as what they are, whatever they say. */
function quote(lines: string, { redact, security, log }: AgentCore, most: number): string {
  const text = shorten(redact(lines), most);
  const received = {
    text,
    origin: "workspace",
    source: { context: "reviewed change set" },
  } as const;
  return receiveText(received, { check: security.injectionCheck, log });
}
