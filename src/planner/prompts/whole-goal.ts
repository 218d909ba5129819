import { shorten } from "../../core/cut-text.ts";
import type { GoalNote } from "../../store/plans/plans.ts";

/** All notes together: the newest fits with everything that it is about, and older words behind it. */
export const MOST_NOTES_CHARS = 40_000;

/**
 * A goal with what was said of plans for it, the oldest first, as authors are told it. However many
 * notes there are, they take at most {@link MOST_NOTES_CHARS}: where that is too little, what an
 * older note was about goes first, then the older words, which is said; the newest note stays.
 */
export function renderGoal(goal: string, notes: readonly GoalNote[] = []): string {
  const newest = notes.at(-1);
  if (!newest) return goal;
  const own = shorten(renderNote(newest), MOST_NOTES_CHARS);
  const kept = [own];
  let room = MOST_NOTES_CHARS - own.length - MOST_GONE_CHARS;
  let isFull = false;
  const older = notes.slice(0, -1).toReversed();
  for (const note of older) {
    const whole = renderNote(note);
    isFull ||= whole.length > room;
    const text = isFull ? note.said : whole;
    if (text.length > room) break;
    room -= text.length + GAP.length;
    kept.unshift(text);
  }
  const gone = notes.length - kept.length;
  const said =
    gone === 0
      ? []
      : [`(What was said earlier is not shown any more: ${gone} of ${notes.length} notes.)`];
  return [goal, ...said, ...kept].join(GAP);
}

/** A blank line between what was said at different times. */
const GAP = "\n\n";
/** The sentence that says how many notes are not shown. */
const MOST_GONE_CHARS = 100;

function renderNote({ said, about }: GoalNote): string {
  return about === undefined ? said : `${said}${GAP}${about}`;
}
