import { cutText } from "../../core/cut-text.ts";
import { withoutHidden } from "../../core/visible-text.ts";

const MAX_NAME_BYTES = 120;
/** Names that mean a device on Windows. */
const DEVICE = /^(con|conin\$|conout\$|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])\s*(\.|$)/i;

/**
 * A name for a file that somebody sent: the last part of what they call it, in NFC, without
 * hidden characters, with nothing that means something to a shell or a disk. Undefined for one
 * that hides itself behind a dot, or says nothing.
 */
export function toSafeName(given: string): string | undefined {
  const last = withoutHidden(given.normalize("NFKC").toWellFormed()).split(/[/\\]/u).at(-1) ?? "";
  if (last.trim().startsWith(".")) return undefined;
  const clean = last
    .normalize("NFC")
    .replace(/\s+/gu, " ")
    .replace(/[\p{Cc}<>:"|?*`$;&'\uFFFD]/gu, "_")
    .replace(/^[\s~-]+|[\s.]+$/gu, "");
  if (clean === "") return undefined;
  return shorten(DEVICE.test(clean) ? `_${clean}` : clean);
}

/** `name` with a number before its ending: "a.tar" and 2 make "a-2.tar". */
export function numberedName(name: string, number: number): string {
  if (number === 1) return name;
  const { stem, ending } = split(name);
  return `${stem}-${number}${ending}`;
}

function shorten(name: string): string {
  const { stem, ending } = split(name);
  let short = stem;
  while (Buffer.byteLength(short + ending) > MAX_NAME_BYTES)
    short = cutText(short, short.length - 1);
  return short + ending;
}

/** An ending longer than 16 characters is a part of the name. */
function split(name: string): { readonly stem: string; readonly ending: string } {
  const ending = /.(\.[^.]{1,16})$/u.exec(name)?.[1] ?? "";
  return { stem: name.slice(0, name.length - ending.length), ending };
}
