import { PassThrough } from "node:stream";
import { StringDecoder } from "node:string_decoder";

const START = "\x1b[200~";
const END = "\x1b[201~";
/** Asks a terminal to mark what is pasted, and no longer to. */
export const MARK_PASTE = "\x1b[?2004h";
export const UNMARK_PASTE = "\x1b[?2004l";

/** What is put into a line being edited for what would end it or move the cursor. */
const SHOWN: readonly (readonly [raw: string, shown: string])[] = [
  ["\n", "⏎"],
  ["\t", "⇥"],
];

/** What a person intended by an edited line: with the line breaks and tabs of what was pasted. */
export function fromShown(line: string): string {
  return SHOWN.reduce((text, [raw, shown]) => text.replaceAll(shown, raw), line);
}

/**
 * Turns what a terminal sends into what a line editor takes: a paste becomes part of the one line
 * and sends nothing off by itself. Marks may come in pieces.
 */
export function createPasteFilter(): (chunk: string) => string {
  let rest = "";
  let isPasting = false;
  return (chunk) => {
    let text = rest + chunk;
    let out = "";
    rest = "";
    for (;;) {
      const mark = isPasting ? END : START;
      const at = text.indexOf(mark);
      if (at < 0) break;
      const part = text.slice(0, at);
      out += isPasting ? toShown(part.replace(/\r\n?$|\n$/, "")) : part;
      text = text.slice(at + mark.length);
      isPasting = !isPasting;
    }
    // An Escape alone is a key and must not wait; within a paste nobody presses one.
    const held = heldLength(text, isPasting ? END : START, isPasting ? 1 : 3);
    const ready = text.slice(0, text.length - held);
    rest = text.slice(text.length - held);
    return out + (isPasting ? toShown(ready) : ready);
  };
}

/** Input for a line editor on a terminal, by way of the filter. */
export function filterPaste(stdin: NodeJS.ReadStream): NodeJS.ReadableStream & Disposable {
  const decoder = new StringDecoder("utf8");
  const filter = createPasteFilter();
  const setRawMode = (mode: boolean) => stdin.setRawMode(mode);
  const onData = (chunk: Buffer) => void input.write(filter(decoder.write(chunk)));
  const onEnd = () => void input.end();
  const input = Object.assign(new PassThrough(), {
    isTTY: true,
    setRawMode,
    [Symbol.dispose]() {
      stdin.off("data", onData).off("end", onEnd).pause();
    },
  });
  stdin.on("data", onData).once("end", onEnd).once("close", onEnd);
  return input;
}

/** How much of the end of a text may be the beginning of a mark. */
function heldLength(text: string, mark: string, least: number): number {
  for (let length = mark.length - 1; length >= least; length--) {
    if (text.endsWith(mark.slice(0, length))) return length;
  }
  return 0;
}

function toShown(pasted: string): string {
  const lines = pasted.replaceAll(/\r\n?/g, "\n");
  const shown = SHOWN.reduce((text, [raw, sign]) => text.replaceAll(raw, sign), lines);
  return shown.replaceAll(/\p{Cc}/gu, ""); // what remains could only command the terminal
}
