/**
 * A content as what differs from another one: a line `<hash of the other> <bytes shared at the
 * start> <bytes shared at the end>`, then the bytes between.
 */
export function toEdit(hash: string, before: Uint8Array, after: Uint8Array): Uint8Array {
  const start = sharedStart(before, after);
  const end = sharedEnd(before.subarray(start), after.subarray(start));
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

function sharedStart(a: Uint8Array, b: Uint8Array): number {
  return longest(Math.min(a.length, b.length), (from, to) =>
    isSame(a.subarray(from, to), b.subarray(from, to)),
  );
}

function sharedEnd(a: Uint8Array, b: Uint8Array): number {
  const back = (bytes: Uint8Array, from: number, to: number) =>
    bytes.subarray(bytes.length - to, bytes.length - from);
  return longest(Math.min(a.length, b.length), (from, to) =>
    isSame(back(a, from, to), back(b, from, to)),
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

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}
