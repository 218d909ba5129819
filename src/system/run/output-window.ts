/** Collects what a command prints, keeping the first and the last part of it. */
export interface OutputWindow {
  add(chunk: Uint8Array): void;
  /** What was kept as text, with a line in the middle saying how much fell out. */
  text(): string;
}

/**
 * Keeps at most `maxBytes`, half from the start and half from the end. What is masked later must not
 * be cut in two here: the cuts are between lines, in long lines between words, and a word that has
 * no end, or the rest of a private key, is left out whole.
 */
export function createOutputWindow(maxBytes: number): OutputWindow {
  const half = Math.ceil(maxBytes / 2);
  const head: Uint8Array[] = [];
  const tail: Uint8Array[] = [];
  let headBytes = 0;
  let tailBytes = 0;
  let droppedBytes = 0;

  return {
    add(chunk) {
      const room = chunk.subarray(0, half - headBytes);
      if (room.length > 0) head.push(room.slice());
      headBytes += room.length;
      if (room.length === chunk.length) return;
      tail.push(chunk.slice(room.length));
      tailBytes += chunk.length - room.length;
      for (let first = tail[0]; first && tailBytes - first.length >= half; first = tail[0]) {
        tail.shift();
        tailBytes -= first.length;
        droppedBytes += first.length;
      }
    },

    text() {
      const start = Buffer.concat(head);
      const end = Buffer.concat(tail);
      if (droppedBytes + end.length <= half) return decode(Buffer.concat([start, end]));
      const kept = endOfHead(start);
      const cut = startOfTail(end, end.length - half);
      const left = start.length - kept + droppedBytes + cut;
      return `${decode(start.subarray(0, kept))}\n… ${left} bytes left out …\n${decode(end.subarray(cut))}`;
    },
  };
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

/** Where the first part ends: before its last line that is not whole, or its last word. */
function endOfHead(bytes: Buffer): number {
  const text = bytes.toString("latin1");
  const line = text.lastIndexOf("\n");
  if (line >= text.length / 2) return line;
  return Math.max(0, text.search(/[ \t\r\n][^ \t\r\n]*$/));
}

/** Where the last part may begin, at `from` or later. */
function startOfTail(bytes: Buffer, from: number): number {
  const text = bytes.toString("latin1", from);
  const line = text.indexOf("\n") + 1;
  const start = line > 0 && line <= text.length / 2 ? line : startOfWord(text);
  return from + Math.max(start, endOfOpenKey(text));
}

/** Three words fall out with the one that is cut: "authorization: bearer" tells what a key is. */
function startOfWord(text: string): number {
  const words = /^[^ \t\r\n]*(?:[ \t\r\n]+[^ \t\r\n]+){3}[ \t\r\n]+/;
  let start = words.exec(text)?.[0].length ?? text.length;
  while (
    /(?:authorization\S*|basic|bearer|token)\s+$/i.test(text.slice(Math.max(0, start - 40), start))
  ) {
    const next = /^[^ \t\r\n]*[ \t\r\n]*/.exec(text.slice(start))?.[0].length ?? 0;
    if (next === 0) return text.length;
    start += next;
  }
  return start;
}

/** Behind the last line of a private key whose first line fell out. */
function endOfOpenKey(text: string): number {
  const last = /-----END [A-Z ]{0,40}PRIVATE KEY-----/.exec(text);
  if (!last || /-----BEGIN /.test(text.slice(0, last.index))) return 0;
  return last.index + last[0].length;
}
