/** Collects what a command prints, keeping the first and the last part of it. */
export interface OutputWindow {
  add(chunk: Uint8Array): void;
  /** What was kept as text, with a line in the middle saying how much fell out. */
  text(): string;
}

/** Keeps at most `maxBytes`, half from the start and half from the end. */
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
      const end = Buffer.concat(tail);
      if (droppedBytes + end.length <= half) return decode(Buffer.concat([...head, end]));
      const cut = wholeCharacters(end, end.length - half);
      const start = new TextDecoder().decode(Buffer.concat(head), { stream: true });
      return `${start}\n… ${droppedBytes + cut} bytes left out …\n${decode(end.subarray(cut))}`;
    },
  };
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

/** The first index at or after `from` where a UTF-8 character starts. */
function wholeCharacters(bytes: Uint8Array, from: number): number {
  let index = from;
  while (index < bytes.length && ((bytes[index] ?? 0) & 0xc0) === 0x80) index++;
  return index;
}
