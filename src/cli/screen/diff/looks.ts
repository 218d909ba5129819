import type { Kind } from "./code-pieces.ts";

/** With what a line of a hunk begins; the rest of its line is as in both files. */
export type Sign = "-" | "+" | " ";

/** How a diff is told in codes of a terminal; each is a whole look. */
export interface Looks {
  readonly line: Readonly<Record<Sign, string>>;
  readonly kinds: Readonly<Record<Sign, Readonly<Partial<Record<Kind, string>>>>>;
  /** Of what differs between two lines. */
  readonly turned: Readonly<Record<Sign, string>>;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * What a terminal can show, and what it is painted on, as the environment says. Nobody asks the
 * terminal: what it answers would come where a person's answers are typed. Where its ground is not
 * known, only colours are taken that it chose itself, which can be read on either.
 */
export function looksFor(env: Environment): Looks {
  const ground = groundOf(env);
  return ground === undefined || !hasManyColors(env) ? ITS_OWN : MANY[ground];
}

function groundOf(env: Environment): "dark" | "light" | undefined {
  const named = env["PAPAYU_BACKGROUND"];
  if (named === "dark" || named === "light") return named;
  const [, number] = /^\d{1,2};(?:[^;]*;)?(\d{1,2})$/.exec(env["COLORFGBG"] ?? "") ?? [];
  if (number === undefined || Number(number) > 15) return undefined;
  return number === "7" || Number(number) > 8 ? "light" : "dark";
}

function hasManyColors({ TERM = "", COLORTERM = "" }: Environment): boolean {
  return COLORTERM !== "" || /256color|direct|alacritty|foot|ghostty|kitty|wezterm/.test(TERM);
}

const [RED, GREEN, CYAN, MAGENTA, DIM, TURNED] = [
  "\x1b[31m",
  "\x1b[32m",
  "\x1b[36m",
  "\x1b[35m",
  "\x1b[2m",
  "\x1b[7m",
];

type Kinds = Readonly<Partial<Record<Kind, string>>>;

const KINDS: Kinds = { comment: DIM, string: CYAN, number: CYAN, keyword: MAGENTA };

/** Red and green as a terminal's owner has them; what is turned round is so in any of them. */
const ITS_OWN: Looks = {
  line: { "-": RED, "+": GREEN, " ": "" },
  kinds: {
    "-": { ...KINDS, comment: RED + DIM },
    "+": { ...KINDS, comment: GREEN + DIM },
    " ": KINDS,
  },
  turned: { "-": RED + TURNED, "+": GREEN + TURNED, " ": "" },
};

/** Of the 256 colours, those that are the same everywhere. */
const ON_DARK = {
  comment: 252,
  string: 157,
  number: 222,
  keyword: 189,
  type: 159,
  function: 153,
  name: 223,
};
const ON_LIGHT = {
  comment: 240,
  string: 23,
  number: 58,
  keyword: 90,
  type: 24,
  function: 25,
  name: 53,
};

/**
 * Words on grounds that are red and green. A word's colour is never without its ground, so that it
 * is read on whatever the terminal is; what both files have is as the terminal's owner has it.
 */
const MANY: Readonly<Record<"dark" | "light", Looks>> = {
  dark: {
    line: { "-": on(52, 255), "+": on(22, 255), " ": "" },
    kinds: { "-": kindsOn(52, ON_DARK), "+": kindsOn(22, ON_DARK), " ": KINDS },
    turned: { "-": on(88, 231), "+": on(28, 231), " ": "" },
  },
  light: {
    line: { "-": on(224, 16), "+": on(194, 16), " ": "" },
    kinds: { "-": kindsOn(224, ON_LIGHT), "+": kindsOn(194, ON_LIGHT), " ": KINDS },
    turned: { "-": on(217, 16), "+": on(158, 16), " ": "" },
  },
};

function kindsOn(ground: number, colors: Readonly<Record<string, number>>): Kinds {
  return Object.fromEntries(
    Object.entries(colors).map(([kind, color]) => [kind, on(ground, color)]),
  );
}

function on(ground: number, color: number): string {
  return `\x1b[48;5;${ground};38;5;${color}m`;
}
