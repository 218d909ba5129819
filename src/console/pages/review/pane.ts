import type { Cursor } from "./model/model.ts";

/** The pane, for those who lead a person to a place in it. */
interface Pane {
  show(cursor: Cursor, how?: "focus" | "quiet"): void;
  /** Scrolls no further than it has to. */
  reveal(cursor: Cursor, how?: "focus" | "quiet"): void;
  /** The first row that is in sight. */
  first(): Cursor | undefined;
  /** What is laid anew by this very press leaves the row where it is under the hand. */
  hold(cursor: Cursor): void;
}

/** What a place is told to, as soon as there is a pane. */
export interface PaneHolder {
  current: Pane | undefined;
}

/** What draws a place in a pane: a row, or the head of its file. */
export function elementAt(pane: HTMLElement | null, { file, row }: Cursor): HTMLElement | null {
  const section = pane?.querySelector<HTMLElement>(`[data-section="${file}"]`);
  if (row < 0) return section?.querySelector<HTMLElement>(".file-toggle") ?? null;
  return section?.querySelector<HTMLElement>(`[data-row="${row}"]`) ?? null;
}
