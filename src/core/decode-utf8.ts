/** How many bytes a text is in UTF-8; without Node's Buffer, which a browser has not. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x80) continue;
    const isPair = code >= 0xd800 && code < 0xdc00 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00;
    bytes += code < 0x800 ? 1 : 2; // of a pair: four for two units; a half alone is U+FFFD
    if (isPair) i += 1;
  }
  return bytes;
}

/**
 * Bytes as text, byte-order mark included, or undefined when they are no text: not UTF-8, or with
 * a NUL, which no text has. Everything that reads or changes text files goes by this one rule.
 */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
