import { createHash } from "node:crypto";

/** SHA-256 of text (as UTF-8) or bytes: 64 lower-case hexadecimal digits. */
export function sha256(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}
