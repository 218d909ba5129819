/** What a key asks for; the help lists them in this order. */
export const KEYS = {
  next: ["j", "ArrowDown"],
  previous: ["k", "ArrowUp"],
  open: ["Enter"],
  unfold: ["o"],
  approve: ["a"],
  reject: ["r"],
  nextChange: ["F7", "n"],
  previousChange: ["Shift+F7", "p"],
  nextLine: ["Alt+ArrowDown"],
  previousLine: ["Alt+ArrowUp"],
  otherSide: ["s"],
  search: ["/"],
  tree: ["t"],
  split: ["u"],
  blanks: ["w"],
  reading: ["m"],
  copyLink: ["y"],
  comment: ["c"],
  extendDown: ["Shift+J", "Shift+ArrowDown"],
  extendUp: ["Shift+K", "Shift+ArrowUp"],
  seen: ["v"],
  inbox: ["i"],
  help: ["?"],
  close: ["Escape"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** A name of {@link KEYS}. */
export type Command = keyof typeof KEYS;

/** The commands that a page has. */
export const COMMANDS: Readonly<Record<"inbox" | "review" | "past" | "list", readonly Command[]>> =
  {
    inbox: ["next", "previous", "open", "unfold", "approve", "reject", "help", "close"],
    list: ["inbox", "help", "close"],
    past: [
      "next",
      "previous",
      "unfold",
      "nextChange",
      "previousChange",
      "nextLine",
      "previousLine",
      "otherSide",
      "search",
      "tree",
      "split",
      "blanks",
      "reading",
      "copyLink",
      "inbox",
      "help",
      "close",
    ],
    review: [
      "next",
      "previous",
      "unfold",
      "nextChange",
      "previousChange",
      "nextLine",
      "previousLine",
      "otherSide",
      "search",
      "approve",
      "reject",
      "tree",
      "split",
      "blanks",
      "reading",
      "copyLink",
      "comment",
      "extendDown",
      "extendUp",
      "seen",
      "inbox",
      "help",
      "close",
    ],
  };

/** As much of a key event as decides what it asks for. */
export interface KeyPress {
  readonly key: string;
  /** The place of the key, as a keyboard with Latin letters names it. */
  readonly code: string;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly altKey: boolean;
  readonly metaKey: boolean;
  /** It is held down: that is no second yes. */
  readonly repeat: boolean;
  /** What has the focus: there letters are text, or Enter and arrows have a meaning of their own. */
  readonly on: "text" | "button" | "nothing";
}

const ON_BUTTON: ReadonlySet<string> = new Set(["Enter"]);
const MAY_REPEAT: ReadonlySet<Command> = new Set([
  "next",
  "previous",
  "nextChange",
  "nextLine",
  "previousLine",
  "extendDown",
  "extendUp",
]);

/** What a key asks for on a page, if anything. */
export function commandOf(press: KeyPress, page: keyof typeof COMMANDS): Command | undefined {
  if (press.ctrlKey || press.metaKey) return undefined;
  const key = letterOf(press);
  const isShifted = press.shiftKey && (key.length > 1 || /^[A-Z]$/u.test(key));
  const name = `${press.altKey ? "Alt+" : ""}${isShifted ? "Shift+" : ""}${key}`;
  const isText = press.on === "text" && name !== "Escape" && !/^(?:Shift\+)?F\d/u.test(name);
  if (isText || (press.on === "button" && ON_BUTTON.has(name))) return undefined;
  const found = COMMANDS[page].find((command) => {
    const keys: readonly string[] = KEYS[command];
    return keys.includes(name);
  });
  return found && press.repeat && !MAY_REPEAT.has(found) ? undefined : found;
}

/**
 * Under a layout of another script a letter is the one that stands in its place on a Latin one; a
 * locked Shift is none, and takes none away. Signs count by what they are, wherever they stand.
 */
function letterOf({ key, code, shiftKey }: KeyPress): string {
  const [, place] = /^Key([A-Z])$/u.exec(code) ?? [];
  const isForeign = /^\p{L}$/u.test(key) && !/\p{Script=Latin}/u.test(key);
  const letter = isForeign && place !== undefined ? place : key;
  if (!/^[A-Za-z]$/u.test(letter)) return letter;
  return shiftKey ? letter.toUpperCase() : letter.toLowerCase();
}
