/** What words say of a routine. */
export interface ReadWords {
  readonly schedule: string;
  readonly task: string;
  readonly workspace?: string;
}

/** What to know for reading them. */
interface Reading {
  /** The names that can be behind an "in". */
  readonly workspaces: readonly string[];
  /** Without one, words that happen to begin with a time are read as a routine. */
  readonly needsColon: boolean;
  /** As cron; undefined where it is none. */
  readonly toCron: (when: string) => Promise<string | undefined>;
}

/** "every weekday at 8 in notes: what changed?"; undefined: they are other words, or ambiguous. */
export async function readWords(words: string, reading: Reading): Promise<ReadWords | undefined> {
  const marked = await readAll(cutAtMarks(words), reading);
  if (marked[0]) return marked[0].read;
  if (reading.needsColon) return undefined;
  const read = await readAll(cutAtWords(words), reading);
  // "at 8 run the" is the time of "at 8", and "run the" is of the task; "at 8 two lines" may be
  // another time than "at 8", so a colon has to say.
  if (new Set(read.map(({ cron }) => cron)).size > 1) return undefined;
  const same = read.map((one) => one.read);
  return same.find(({ workspace }) => workspace !== undefined) ?? same[0];
}

async function readAll(
  cuts: readonly Cut[],
  { workspaces, toCron }: Reading,
): Promise<readonly { readonly cron: string; readonly read: ReadWords }[]> {
  const found = [];
  for (const [head, task] of cuts) {
    const [schedule, workspace] = splitPlace(head, workspaces);
    const cron = task === "" ? undefined : await toCron(schedule);
    if (cron === undefined) continue;
    found.push({ cron, read: { schedule, task, ...(workspace !== undefined && { workspace }) } });
  }
  return found;
}

/** Words in two: when, and what. */
type Cut = readonly [when: string, task: string];

function cutAtMarks(words: string): readonly Cut[] {
  return cutAt(words, words.matchAll(/[:：]\s+|：|\n/gu));
}

/** Chinese has no blanks. */
function cutAtWords(words: string): readonly Cut[] {
  const ends = words
    .slice(0, MOST_WHEN_CHARS)
    .matchAll(/[,，]?\s+|[,，]|(?<=\p{Script=Han})(?!$)/gu);
  return cutAt(words, ends).filter(([when, task]) => !ENDS_OPEN.test(when) && !GOES_ON.test(task));
}

function cutAt(words: string, marks: Iterable<RegExpExecArray>): readonly Cut[] {
  return Array.from(marks, ({ index, 0: mark }) => [
    words.slice(0, index).trim(),
    words.slice(index + mark.length).trim(),
  ]);
}

/** "every last weekday of the month at 18:30 in some-workspace" has 60. */
const MOST_WHEN_CHARS = 120;

/** Words that join what is on both sides of them: there is no end before them, nor behind them. */
const JOINING =
  "at|on|in|and|or|but|except|until|till|from|to|between|after|before|в|и|с|во|со|или|но|кроме|до|по|после|перед";
const JOINING_SIGNS = "[和或除到在与及、]";

/** Words that make a time another one. */
const MORE_TIME = "[ap]\\.?m\\.?|утра|вечера|дня|ночи";

const GOES_ON = new RegExp(
  `^(?:(?:${JOINING}|${MORE_TIME})(?![\\p{L}\\p{N}])|${JOINING_SIGNS}|[\\d点])`,
  "iu",
);
const ENDS_OPEN = new RegExp(
  `(?:(?<![\\p{L}\\p{N}])(?:${JOINING}|the|of)|${JOINING_SIGNS})$`,
  "iu",
);

/** `… in NAME` with the name of a workspace. */
function splitPlace(
  when: string,
  workspaces: readonly string[],
): readonly [string, string | undefined] {
  const [, head, name] = /^(.+?)\s*(?:\bin|(?<!\S)в|在)\s*(\S+)$/isu.exec(when) ?? [];
  const isKnown = head !== undefined && name !== undefined && workspaces.includes(name);
  return isKnown ? [head, name] : [when, undefined];
}
