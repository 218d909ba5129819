import { Buffer, isAscii } from "node:buffer"; // Buffer is not global in browsers
import { peekBytes } from "./peek-bytes.ts";

/** How far in a declaration is looked for. */
const HEAD_BYTES = 4096;
const MARK_BYTES = 3;

const META_CHARSET = /<meta\s[^>]{0,500}?charset\s*=\s*["']?\s*([\w.:-]{1,40})/iu;
const XML_ENCODING = /^\s*<\?xml\s[^>]{0,200}?encoding\s*=\s*["']([\w.:-]{1,40})/iu;

/**
 * Decodes a text as it arrives. The charset: byte order mark, then `charset`, then what the
 * text says of itself, then UTF-8 if the first bytes beyond ASCII are valid, else windows-1252.
 */
export async function* decodeText(
  bytes: AsyncIterable<Uint8Array>,
  charset: string | undefined,
): AsyncGenerator<string> {
  // Only a page that must say it itself is waited for.
  const isKnown = toDecoder(charset) !== undefined;
  const headBytes = isKnown ? MARK_BYTES : HEAD_BYTES;
  const { head, whole } = await peekBytes(bytes, ({ length }) => length >= headBytes);
  let decoder = findDeclared(head, charset);
  for await (const chunk of whole) {
    if (decoder === undefined && !isAscii(chunk)) decoder = guess(chunk);
    yield decoder?.decode(chunk, { stream: true }) ?? Buffer.from(chunk).toString("latin1");
  }
  yield decoder?.decode() ?? "";
}

function findDeclared(head: Uint8Array, charset: string | undefined): TextDecoder | undefined {
  const text = Buffer.from(head.subarray(0, HEAD_BYTES)).toString("latin1");
  const inside = (META_CHARSET.exec(text) ?? XML_ENCODING.exec(text))?.[1];
  // A declaration that could be read is not in UTF-16.
  const declared = inside?.replace(/^utf-?16.*/iu, "utf-8");
  return toDecoder(findMark(head)) ?? toDecoder(charset) ?? toDecoder(declared);
}

function findMark(head: Uint8Array): string | undefined {
  const [first, second, third] = head;
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8";
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : undefined;
}

/** A character cut off at the end of the chunk is no fault; anything else means a legacy page. */
function guess(chunk: Uint8Array): TextDecoder {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(chunk, { stream: true });
    return new TextDecoder();
  } catch {
    return new TextDecoder("windows-1252");
  }
}

/** Undefined as well for a charset that nobody knows. */
function toDecoder(label = ""): TextDecoder | undefined {
  if (!isLabel(label)) return undefined;
  try {
    return new TextDecoder(label);
  } catch {
    return undefined;
  }
}

/** As the platform has its type. */
type Label = NonNullable<ConstructorParameters<typeof TextDecoder>[0]>;

/** Whether it could be a label; which ones exist, the platform knows. */
function isLabel(label: string): label is Label {
  return /^[\w.:-]{1,40}$/u.test(label);
}
