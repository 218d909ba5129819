/**
 * A content as what differs from another one: a line `<hash of the other> <bytes shared at the
 * start> <bytes shared at the end>`, then the bytes between.
 */
export function toEdit(hash: string, before: Uint8Array, after: Uint8Array): Uint8Array {
  const start = sharedStart(asBuffer(before), asBuffer(after));
  const end = sharedEnd(asBuffer(before.subarray(start)), asBuffer(after.subarray(start)));
  const middle = after.subarray(start, after.length - end);
  return Buffer.concat([Buffer.from(`${hash} ${start} ${end}\n`), middle]);
}

/** The content that an edit describes; `read` finds the other one by its hash. */
export function joinEdit(
  edit: Buffer,
  read: (hash: string) => Buffer | undefined,
): Buffer | undefined {
  const lineEnd = edit.indexOf(10);
  const [hash = "", start, end] = edit.toString("latin1", 0, Math.max(0, lineEnd)).split(" ");
  const before = read(hash);
  if (!before) return undefined;
  const head = before.subarray(0, Number(start));
  const tail = before.subarray(Math.max(0, before.length - Number(end)));
  return Buffer.concat([head, edit.subarray(lineEnd + 1), tail]);
}

function sharedStart(a: Buffer, b: Buffer): number {
  return longest(
    Math.min(a.length, b.length),
    (from, to) => a.compare(b, from, to, from, to) === 0,
  );
}

/** `compare` throws at a place that is none, where a `subarray` would end at the last byte. */
function sharedEnd(a: Buffer, b: Buffer): number {
  return longest(
    Math.min(a.length, b.length),
    (from, to) =>
      a.compare(b, b.length - to, b.length - from, a.length - to, a.length - from) === 0,
  );
}

/** By halving: it compares long stretches at once, where a loop over bytes would take its time. */
function longest(most: number, agrees: (from: number, to: number) => boolean): number {
  let length = 0;
  for (let bound = most; length < bound; ) {
    const middle = Math.ceil((length + bound) / 2);
    if (agrees(length, middle)) length = middle;
    else bound = middle - 1;
  }
  return length;
}

/** The same bytes. */
function asBuffer({ buffer, byteOffset, length }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, length);
}
