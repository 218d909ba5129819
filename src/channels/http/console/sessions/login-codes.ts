import { createHash, randomBytes } from "node:crypto";

/** What became of a code that was given out. */
export type CodeState = "waiting" | "used" | "over";

/** Codes that let a browser in, once each; kept as hashes, and no longer than this process. */
export interface LoginCodes {
  /** A fresh code for a page with cookies, or without them on this machine's own address. */
  issue(isPlain: boolean): { readonly id: string; readonly code: string };
  /** Takes a code; false for one that is wrong, used, too old or for the other kind of page. */
  redeem(code: string, isPlain: boolean): boolean;
  state(id: string): CodeState;
  /** Whether a code for a page without cookies waits. */
  readonly isPlainAwaited: () => boolean;
}

/** 128 bits. */
const CODE_BYTES = 16;
const VALID_MS = 60_000;
/** Wrong ones, over all codes; then none of those that wait counts any more. */
const MOST_TRIES = 5;
/** Codes that are remembered, with those that were used. */
const MOST_CODES = 20;

interface Code {
  readonly id: string;
  readonly isPlain: boolean;
  readonly until: number;
  isUsed: boolean;
}

/** No codes yet. */
export function createLoginCodes(now: () => number): LoginCodes {
  const codes = new Map<string, Code>();
  let tries = 0;
  const waits = (code: Code) => !code.isUsed && code.until > now();
  return {
    issue(isPlain) {
      const code = randomBytes(CODE_BYTES).toString("base64url");
      const id = randomBytes(6).toString("hex");
      codes.set(hash(code), { id, isPlain, until: now() + VALID_MS, isUsed: false });
      for (const [oldest] of codes) if (codes.size > MOST_CODES) codes.delete(oldest);
      tries = 0;
      return { id, code };
    },
    redeem(given, isPlain) {
      // By the hash: how long it takes to find one tells nothing of a code.
      const code = codes.get(hash(given));
      if (!code || code.isPlain !== isPlain || !waits(code)) {
        tries += 1;
        if (tries >= MOST_TRIES) codes.clear();
        return false;
      }
      code.isUsed = true;
      return true;
    },
    state(id) {
      const code = [...codes.values()].find((each) => each.id === id);
      if (!code) return "over";
      return code.isUsed ? "used" : waits(code) ? "waiting" : "over";
    },
    isPlainAwaited: () => [...codes.values()].some((code) => code.isPlain && waits(code)),
  };
}

function hash(code: string): string {
  return createHash("sha256").update(code).digest("hex");
}
