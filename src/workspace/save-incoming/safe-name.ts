import { cutText } from "../../core/cut-text.ts";
import { withoutHidden } from "../../core/visible-text.ts";

const MAX_NAME_BYTES = 120;
/** Names that mean a device on Windows. */
const DEVICE = /^(con|conin\$|conout\$|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])\s*(\.|$)/i;
/**
 * What a shell (POSIX 2.2 "Quoting", zsh's globs, cmd's variables) or a disk (what Windows refuses in
 * names) reads as something else than itself, wherever it stands. A blank stays: people name files
 * with it, and it ends a word where nobody quotes but runs nothing.
 */
const MEANING = /[\p{Cc}<>:"|?*`$;&'()#!{}[\]%^=\uFFFD]/gu;
/** What means something only where a name begins: home, an option. */
const BEGINNING = /^[\s~-]+/u;
/** What Windows drops there. */
const END = /[\s.]+$/u;

/**
 * A name for a file that somebody sent: the last part of what they call it, in NFC, at most 120
 * bytes, without hidden characters. `_` stands for what means something to a shell or a disk, control
 * characters and each of `< > : " | ? * `` ` `` $ ; & ' ( ) # ! { } [ ] % ^ =`; blanks, `~` and `-` at
 * the beginning and blanks and dots at the end are left out. Undefined for one that is hidden, by a
 * dot that it then begins with, or says nothing.
 */
export function toSafeName(given: string): string | undefined {
  const last = withoutHidden(given.normalize("NFKC").toWellFormed()).split(/[/\\]/u).at(-1) ?? "";
  const clean = last
    .normalize("NFC")
    .replace(/\s+/gu, " ")
    .replace(MEANING, "_")
    .replace(BEGINNING, "")
    .replace(END, "");
  // Looked for last: what stood before the dot may just have been taken away.
  if (clean === "" || clean.startsWith(".")) return undefined;
  return shorten(DEVICE.test(clean) ? `_${clean}` : clean);
}

/** `name` with a number before its ending: "a.tar" and 2 make "a-2.tar". */
export function numberedName(name: string, number: number): string {
  if (number === 1) return name;
  const { stem, ending } = split(name);
  return `${stem}-${number}${ending}`;
}

function shorten(name: string): string {
  if (Buffer.byteLength(name) <= MAX_NAME_BYTES) return name;
  const { stem, ending } = split(name);
  let short = stem;
  while (Buffer.byteLength(short + ending) > MAX_NAME_BYTES)
    short = cutText(short, short.length - 1);
  return short.replace(END, "") + ending;
}

/** An ending longer than 16 characters is a part of the name. */
function split(name: string): { readonly stem: string; readonly ending: string } {
  const ending = /.(\.[^.]{1,16})$/u.exec(name)?.[1] ?? "";
  return { stem: name.slice(0, name.length - ending.length), ending };
}
