import { type Signal, signal } from "@preact/signals";

/** A part of the page that could not be loaded. */
export interface FailedPart {
  retry: () => void;
}

/** How the page stands before the person: what it says to them, and what they see and have begun. */
export interface View {
  /** For whoever cannot see it: what has just happened. */
  readonly said: Signal<string>;
  /** What the place is called that is shown. */
  readonly title: Signal<string>;
  readonly isHelpOpen: Signal<boolean>;
  /** Changes are shown as a text to be read out. */
  readonly isReading: Signal<boolean>;
  /** When the window got the focus. */
  readonly focusedAt: Signal<number>;
  /** When what lies under the hands last came from somewhere else. */
  readonly movedAt: Signal<number>;
  /** The parts that are not there, in the order in which they failed. */
  readonly failed: Signal<readonly FailedPart[]>;
  /** The text of the settings as it stands in their box, where it is not saved. */
  readonly unsaved: Signal<string | undefined>;
}

/** A page that has just come into view. */
export function createView(now: number): View {
  return {
    said: signal(""),
    title: signal(""),
    isHelpOpen: signal(false),
    isReading: signal(false),
    focusedAt: signal(now),
    movedAt: signal(now),
    failed: signal([]),
    unsaved: signal(undefined),
  };
}
