import type { Counted } from "../../core/few.ts";

const CELLS = 12;

/** So much of a whole, as a bar; who has more than the whole has all of it. */
export function renderBar({ counted, of }: Counted): string {
  const full = Math.min(CELLS, Math.floor((counted / Math.max(1, of)) * CELLS));
  return "█".repeat(full) + "░".repeat(CELLS - full);
}

/** The same with its numbers, in front of what else is said. */
export function renderCounted(counted: Counted): string {
  return `${renderBar(counted)} ${counted.counted}/${counted.of} · `;
}
