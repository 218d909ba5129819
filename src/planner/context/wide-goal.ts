import { AppError } from "../../core/app-error.ts";
import { firstOf } from "../../core/few.ts";
import { Refusal } from "../../texts/texts.ts";
import { type LeftOut, renderLeftOut } from "../../workspace/part.ts";
import { searchFiles } from "../../workspace/search.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { type Block, renderNote, toListedName } from "./block.ts";
import type { WantedFile } from "./cut-parts.ts";
import { measureFiles } from "./wanted-files.ts";

/** A name that a goal wants changed wherever it stands, and the files that hold it. */
export interface WideGoal {
  readonly name: string;
  readonly files: readonly WantedFile[];
  /** Files that may hold it, too, and that nobody looked into. */
  readonly leftOut: readonly LeftOut[];
}

/** Most files that one goal may be about. */
const MOST_FILES = 1000;
/** Most names of a goal that are looked for. */
const MOST_NAMES = 4;

/**
 * The files that hold the first name of a goal that any file holds, where the goal says that it is
 * about all of them: a rename, or "everywhere". Undefined for any other goal, without a look.
 *
 * @throws AppError ERR_USAGE where they are more than a plan can be about
 */
export async function findWideGoal(
  workspace: Workspace,
  goal: string,
  signal: AbortSignal,
): Promise<WideGoal | undefined> {
  if (!WIDE.test(goal)) return undefined;
  for (const name of namesIn(goal)) {
    const { items: hits, leftOut } = await searchFiles(workspace, {
      query: name,
      limit: MOST_FILES + 1, // so many files hold it for certain
      perFile: 1,
      signal,
    });
    if (hits.length === 0) continue;
    if (leftOut.some(({ what }) => what === "hits")) throw tooMany(name);
    const paths = hits.map(({ path }) => path);
    return { name, files: await measureFiles(workspace, paths), leftOut };
  }
  return undefined;
}

/** A change of some of them would leave the others as they are, and nobody would be told. */
function tooMany(name: string): AppError {
  return new Refusal("ERR_USAGE", ({ manyHits }) => manyHits(name, MOST_FILES));
}

const WIDE =
  /\brenam(?:e|es|ed|ing)\b|\beverywhere\b|\bthroughout\b|\b(?:in|across|over) (?:all|every|each|the whole)\b|переимен|переназв|везде|всюду|во вс(?:ех|ём)|重命名|改名|所有|全部|到处|各处/iu;

/** Words in quotes, and words that nobody writes but in code: with a capital, a digit or "_" inside. */
function namesIn(goal: string): readonly string[] {
  const quoted = [...goal.matchAll(/[`"'«“‘]([^\s`"'»”’]{3,200})[`"'»”’]/gu)];
  const bare = [...goal.matchAll(/(?<![\w$./-])([A-Za-z_$][\w$]{3,199})(?![\w$/])/gu)].filter(
    ([, word = ""]) => /[a-z$][A-Z0-9]|_|[A-Z]{2}[a-z]/u.test(word),
  );
  const found = [...quoted, ...bare].toSorted((a, b) => a.index - b.index);
  const names = found.flatMap(([, name]) => (name === undefined ? [] : [name]));
  return [...new Set(names)].slice(0, MOST_NAMES);
}

/** Most paths that the note names. */
const MOST_SHOWN = 300;

/** What a plan is told of files that it is about and cannot be shown at once. */
export function renderWideGoal({ name, files, leftOut }: WideGoal): Block {
  const lines = firstOf(files, MOST_SHOWN).lines(
    ({ path }) => toListedName(path),
    (left) => `… and ${left} more`,
  );
  const missing = renderLeftOut(leftOut);
  const alsoSay = missing === undefined ? [] : [`${toListedName(missing)}: say so in the plan`];
  const note = renderNote(
    `${JSON.stringify(name)} stands in ${files.length} files, too many to show at once. The plan is carried out part by part, and each file is shown whole in its part, so do not ask for them now:`,
  );
  return { ...note, origin: "workspace", body: [...lines, ...alsoSay].join("\n") };
}
