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
