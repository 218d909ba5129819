import type { Texts } from "../../texts/texts.ts";
import type { Instant } from "./wire.ts";

/** `2026-11-21 08:00` in the zone of who reads, or in another one. */
export function toLocal(at: number, timeZone?: string): string {
  const options = {
    dateStyle: "short",
    timeStyle: "short",
    ...(timeZone && { timeZone }),
  } as const;
  return new Intl.DateTimeFormat("sv-SE", options).format(at);
}

/** The zone of who reads. */
export function ownZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** An instant as who reads has it, and as the routine has it where that is another. */
export function toTimes(
  { at, local }: Instant,
  zone: string,
  { there }: Texts["routines"],
): string {
  const own = toLocal(at);
  if (own === local) return own;
  const isSameDay = own.slice(0, 10) === local.slice(0, 10);
  return `${own} (${there(isSameDay ? local.slice(11) : local, zone)})`;
}
