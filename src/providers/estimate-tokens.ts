/** A rough count without a tokenizer: UTF-8 bytes by four, so that Cyrillic and CJK count more. */
export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 4);
}
