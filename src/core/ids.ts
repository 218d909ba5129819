import { randomBytes } from "node:crypto";

const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";

/**
 * A fresh identifier such as `plan_06ax3k0m2v5r8t1w`: 9 characters of time, 7 of chance,
 * so that ids sort by age as text.
 */
export function newId(prefix: string, now: number = Date.now()): string {
  let chance = "";
  for (const byte of randomBytes(7)) chance += ALPHABET.charAt(byte % 32);
  return idsFrom(prefix, now) + chance;
}

/** What identifiers of an instant begin with: those of earlier ones sort before it, no others. */
export function idsFrom(prefix: string, instant: number): string {
  let time = "";
  for (let rest = instant, i = 0; i < 9; i++, rest = Math.floor(rest / 32)) {
    time = ALPHABET.charAt(rest % 32) + time;
  }
  return `${prefix}_${time}`;
}

/** When an identifier of {@link newId} was made, in milliseconds since 1970. */
export function instantOf(id: string): number {
  const time = id.slice(id.lastIndexOf("_") + 1).slice(0, 9);
  return Array.from(time).reduce((sum, digit) => sum * 32 + ALPHABET.indexOf(digit), 0);
}
