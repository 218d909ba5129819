import { toLocalTime } from "../../core/clock.ts";
import { type Guarded, isNumber, isObject, isText } from "../../core/guards.ts";
import { toVisibleText } from "../../core/visible-text.ts";
import type { Texts } from "../../texts/texts.ts";
import type { KnownPasses } from "./pass-notes.ts";

/** What `status` says of passes over all that grows; instants are ISO 8601. */
export type RetentionStatus = Guarded<typeof isRetentionStatus>;

/** Of a daemon of another version, it may be something else. */
export const isRetentionStatus = isObject(
  {},
  {
    /** The three of the last pass that came to its end. */
    last_pass_at: isText,
    removed: isNumber,
    kept_bytes: isNumber,
    fits_days: isNumber,
    /** The first part of it that could not be gone over, and why; and how many could not. */
    failed: isText,
    failed_parts: isNumber,
    /** One that was cut off: after the last pass, or just before it, and then counted there. */
    cut_off: isObject({ at: isText, removed: isNumber }),
    running_since: isText,
    /** Since then the clock may be wrong, and nothing goes for a day. */
    held_since: isText,
  },
);

/** What is known of passes, as programs get it; undefined before the first. */
export function describePasses({ last, open }: KnownPasses): RetentionStatus | undefined {
  if (!last && !open) return undefined;
  const cutOff = open && !open.isRunning ? open : last?.cutOff;
  return {
    ...(last && {
      last_pass_at: toInstant(last.at),
      removed: last.removed,
      kept_bytes: last.bytes,
      ...(last.fits !== undefined && { fits_days: last.fits }),
      ...(last.failed !== undefined && {
        failed: last.failed,
        failed_parts: last.failedParts ?? 1,
      }),
      ...(last.heldSince !== undefined && { held_since: toInstant(last.heldSince) }),
    }),
    ...(cutOff && { cut_off: { at: toInstant(cutOff.at), removed: cutOff.removed } }),
    ...(open?.isRunning && { running_since: toInstant(open.at) }),
  };
}

/** The same for people, a line each. */
export function renderPasses(status: unknown, texts: Texts["status"]): readonly string[] {
  if (!isRetentionStatus(status)) return [];
  const { last_pass_at, removed, kept_bytes, fits_days } = status;
  const { failed, failed_parts = 1, cut_off, held_since } = status;
  const isOver = last_pass_at !== undefined && removed !== undefined && kept_bytes !== undefined;
  return [
    ...(isOver
      ? [texts.kept(texts.size(toMegabytes(kept_bytes)), toLocalTime(last_pass_at), removed)]
      : []),
    ...(fits_days === undefined ? [] : [texts.keptDays(fits_days)]),
    ...(failed === undefined ? [] : [texts.notTidied(toVisibleText(failed), failed_parts - 1)]),
    ...(cut_off ? [texts.tidyingCutOff(toLocalTime(cut_off.at), cut_off.removed)] : []),
    ...(held_since === undefined ? [] : [texts.tidyingHeld(toLocalTime(held_since))]),
  ];
}

function toMegabytes(bytes: number): number {
  return Math.round(bytes / 1024 / 1024);
}

function toInstant(at: number): string {
  return new Date(at).toISOString();
}
