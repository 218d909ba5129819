/** Words of a line as a terminal would show them: from and to, and names such as "bold red on-gray". */
export type Look = readonly [line: number, from: number, to: number, names: string];

/** What a program printed for a terminal: its words, and how they look. */
export interface TerminalText {
  /** Without anything that commands a terminal. */
  readonly text: string;
  /** In order; of more than a reader tells apart the first, the rest is plain. */
  readonly looks: readonly Look[];
}

/**
 * Reads what a program printed for a terminal. Colours of every kind become the few names that a
 * theme can show so that they are read; all other commands are dropped. Linear, whatever is in it:
 * a command ends where the next begins, and with its line.
 */
export function readTerminalText(printed: string): TerminalText {
  const parts: string[] = [];
  const looks: Look[] = [];
  let [line, column] = [0, 0];
  let pen = PLAIN;
  const write = (words: string) => {
    if (words === "") return;
    parts.push(words);
    const names = namesOf(pen);
    for (const [at, piece] of words.split("\n").entries()) {
      if (at > 0) [line, column] = [line + 1, 0];
      const from = column;
      column += piece.length;
      if (names !== "" && piece !== "" && looks.length < MOST_LOOKS) {
        looks.push([line, from, column, names]);
      }
    }
  };
  let from = 0;
  for (const { 0: command, 1: parameters, index } of printed.matchAll(COMMANDS)) {
    write(printed.slice(from, index));
    from = index + command.length;
    if (parameters !== undefined) pen = takeParameters(pen, parameters);
  }
  write(printed.slice(from));
  return { text: parts.join(""), looks };
}

/** Names of the looks that there are. */
const HUES = ["red", "yellow", "green", "cyan", "blue", "magenta"] as const;
const MOST_LOOKS = 2000;

/**
 * Everything that commands a terminal; what sets how words look has its parameters in a group. What
 * was cut off is dropped as far as it goes. No part can match again where another has failed.
 */
const COMMANDS = new RegExp(
  [
    String.raw`(?:\x1b\[|\x9b)([\d;:]*)m`,
    String.raw`(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?`,
    // Titles and links, up to their end; one without an end is no more than its beginning.
    String.raw`(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f])(?:[^\x07\x1b\x90\x98-\x9f\n]*(?:\x07|\x9c|\x1b\\))?`,
    String.raw`\x1b[ -/]*[0-~]?`,
  ].join("|"),
  "gu",
);

/** How what is written next looks. */
interface Pen {
  readonly styles: ReadonlySet<string>;
  readonly ink: string;
  readonly ground: string;
  readonly isTurned: boolean;
}

const PLAIN: Pen = { styles: new Set(), ink: "", ground: "", isTurned: false };

const STYLES: Readonly<Record<number, string>> = {
  1: "bold",
  2: "dim",
  3: "italic",
  4: "underline",
  9: "strike",
  21: "underline",
};
const ENDS: Readonly<Record<number, readonly string[]>> = {
  22: ["bold", "dim"],
  23: ["italic"],
  24: ["underline"],
  29: ["strike"],
};

function takeParameters(before: Pen, parameters: string): Pen {
  const codes = parameters.split(";");
  let pen = before;
  for (let at = 0; at < codes.length; at++) {
    const [code = 0, ...more] = (codes[at] ?? "").split(":").map(Number);
    if (code !== 38 && code !== 48 && code !== 58) {
      pen = takeCode(pen, code, more[0]);
      continue;
    }
    // Its colour stands behind colons, or takes the codes that follow.
    const own = more.length > 0 ? more : codes.slice(at + 1, at + 5).map(Number);
    if (more.length === 0) at += own[0] === 5 ? 2 : own[0] === 2 ? 4 : 0;
    const name = nameOf(own);
    if (code === 38) pen = { ...pen, ink: name };
    if (code === 48) pen = { ...pen, ground: name };
  }
  return pen;
}

function takeCode(pen: Pen, code: number, kind: number | undefined): Pen {
  if (code === 0) return PLAIN;
  if (code === 4 && kind === 0) return takeCode(pen, 24, undefined);
  const [style, ends] = [STYLES[code], ENDS[code]];
  if (style) return { ...pen, styles: new Set([...pen.styles, style]) };
  if (ends) return { ...pen, styles: new Set([...pen.styles].filter((it) => !ends.includes(it))) };
  if (code === 7 || code === 27) return { ...pen, isTurned: code === 7 };
  if (code === 39) return { ...pen, ink: "" };
  if (code === 49) return { ...pen, ground: "" };
  if (code >= 30 && code <= 37) return { ...pen, ink: nameOfSixteen(code - 30) };
  if (code >= 40 && code <= 47) return { ...pen, ground: nameOfSixteen(code - 40) };
  if (code >= 90 && code <= 97) return { ...pen, ink: nameOfSixteen(code - 82) };
  if (code >= 100 && code <= 107) return { ...pen, ground: nameOfSixteen(code - 92) };
  return pen;
}

/** Words on a coloured ground have the colour of text, and none are hidden: all of it is to be read. */
function namesOf({ styles, ink, ground, isTurned }: Pen): string {
  const [words, behind] = isTurned ? [ground, ink || "gray"] : [ink, ground];
  const isOnHue = behind !== "" && !isPlainName(behind);
  const quiet = styles.has("dim") || words === "gray" ? "gray" : "";
  const color = isOnHue ? "" : isPlainName(words) ? quiet : words;
  const own = [...styles].filter((style) => style !== "dim").toSorted();
  const on = behind === "" ? [] : [`on-${isPlainName(behind) ? "gray" : behind}`];
  return [...own, ...(color === "" ? [] : [color]), ...on].join(" ");
}

function isPlainName(name: string): boolean {
  return name === "" || name === "black" || name === "white" || name === "gray";
}

const SIXTEEN = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"];

function nameOfSixteen(index: number): string {
  return index === 8 ? "gray" : (SIXTEEN[index % 8] ?? "");
}

/** `5, N` of 256 colours, or `2, red, green, blue`, between which a colour space may stand. */
function nameOf([kind, ...values]: readonly number[]): string {
  if (kind === 2) {
    const [red = 0, green = 0, blue = 0] = values.length > 3 ? values.slice(-3) : values;
    return nameOfLight(red, green, blue);
  }
  const [index = -1] = values;
  if (kind !== 5 || !(index >= 0 && index <= 255)) return "";
  if (index < 16) return nameOfSixteen(index);
  if (index >= 232) return nameOfLight(...grayOf(8 + (index - 232) * 10));
  const cube = index - 16;
  const level = (step: number) => (step === 0 ? 0 : 55 + step * 40);
  return nameOfLight(
    level(Math.floor(cube / 36)),
    level(Math.floor(cube / 6) % 6),
    level(cube % 6),
  );
}

function grayOf(light: number): readonly [number, number, number] {
  return [light, light, light];
}

/** The nearest of the few, by hue; what has hardly any is black, gray or white. */
function nameOfLight(red: number, green: number, blue: number): string {
  const most = Math.max(red, green, blue);
  const least = Math.min(red, green, blue);
  const range = most - least;
  if (!(most <= 255) || range * 5 < most || range < 24) {
    return most < 64 ? "black" : most < 200 ? "gray" : "white";
  }
  const sector =
    most === red
      ? (green - blue) / range
      : most === green
        ? 2 + (blue - red) / range
        : 4 + (red - green) / range;
  return HUES[Math.round(sector + 6) % 6] ?? "";
}

/** The looks of a text that was masked or spelled out since: those of lines that are as they were. */
export function keepLooks(looks: readonly Look[], before: string, after: string): readonly Look[] {
  if (before === after || looks.length === 0) return looks;
  const [then, now] = [before.split("\n"), after.split("\n")];
  return then.length === now.length ? looks.filter(([line]) => then[line] === now[line]) : [];
}
