import { plural } from "../../../texts/plural.ts";

/** Settings, in English. */
export const SETTINGS_EN = {
  title: "Settings",
  file: "Configuration",
  box: "The text of the configuration",
  offers: "Suggestions",
  taken: (offer: string) => `Put in: ${offer}`,
  notThere: "no such file yet; it begins with the first key",
  masked: (count: number) =>
    `${plural("en", count, { one: "place", many: "places" })} with a secret in it, masked; what you leave as it is stays as it is`,
  cannotShow: "The configuration cannot be shown here",
  looking: "Looking at it…",
  found: (count: number) =>
    count === 0
      ? "Nothing is wrong with it."
      : plural("en", count, { one: "problem", many: "problems" }),
  line: (line: number) => `Line ${line}`,
  hidden: "has characters that nobody sees:",
  review: "Show what would change",
  discard: "Discard what I typed",
  rebase: "Read the file anew, and keep what I typed",
  saved: (path: string) => `Saved in ${path}.`,
  /** Of a file that was found where papa-yu was started, and is not the one in the box. */
  beside: {
    title: "There is another file, too",
    where: (path: string) =>
      `${path} is in the folder where papa-yu was started. It is not the file above: nothing was written into it, and it keeps nothing from being saved.`,
    untrusted: "As you have not trusted it, it can only make your configuration stricter.",
    changed:
      "It is another than when you trusted it, so for now it can only make your configuration stricter.",
    broken: (reason: string) => `It is not trusted, and it is left out, for it is wrong: ${reason}`,
    other: (names: string) =>
      `It is left out, for it seems to be another program's: papa-yu has no ${names}.`,
    held: (names: string) => `This of it holds, for it allows nothing more: ${names}.`,
    ignored: (names: string) => `These keys of it do not count: ${names}.`,
    trust: "papayu config trust, typed in that folder, shows what it would change and asks.",
    list: (names: readonly string[], left: number) =>
      names.join(", ") + (left > 0 ? ` and ${left} more` : ""),
  },
  keys: "All keys",
  search: "Search by words",
  keysFound: (shown: number, all: number) =>
    shown >= all ? plural("en", all, { one: "key", many: "keys" }) : `${shown} of ${all} keys`,
  put: "Put it in",
  putKey: (key: string) => `Put it in: ${key}`,
  allowed: (allowed: string) => `Allowed: ${allowed}`,
  initial: (value: string) => `Default: ${value}`,
  facts: {
    gate: "opens a gate",
    program: "names a program",
    looser: "allows more",
    secret: "secret",
    restart: "with the next start",
  },
  opens: {
    gate: "Decides who may speak to papa-yu, or what it does without a question",
    program: "Names programs that papa-yu starts, or what they are started with",
    looser: "Allows more than before",
    secret: "Changes secrets",
    restart: "Takes effect after papayu restart",
  },
  saveTitle: "This would be saved",
  inForce: (count: number) =>
    `${plural("en", count, { one: "key", many: "keys" })} would have another value`,
  nothingChanges: "No key would have another value: only the text is another.",
  was: (before: string) => `was ${before}`,
  back: "Back to the text",
  save: "Save",
} as const;
