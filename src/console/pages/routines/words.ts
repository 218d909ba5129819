import { type Signal, signal } from "@preact/signals";

/** Where words are kept across reloads. */
export type Keeper = Pick<Storage, "getItem" | "setItem" | "removeItem">;

/** What is about to be said of one routine, or of one that is none yet. */
export interface RoutineWords {
  readonly text: Signal<string>;
  /** Nobody was asked about them. */
  readonly isLeft: () => boolean;
  write(text: string): void;
  /** It was pressed for them as they are now. */
  pressed(): void;
  /** They are asked about: the question has them. */
  taken(): void;
}

/** The words of one page, by what they are about: they stay while another place is shown. */
export interface AllWords {
  /** `first` is what stands there before anybody typed. */
  of(subject: string, first: string): RoutineWords;
  /** Whether there are words that nobody was asked about. */
  readonly isLeft: () => boolean;
}

interface Kept {
  readonly text: Signal<string>;
  first: string;
  sent: string | undefined;
  asked: string | undefined;
}

/** Nothing was typed in this window but what its storage has. */
export function createWords(keeper: Keeper): AllWords {
  const all = new Map<string, Kept>();
  const isLeft = ({ text, first, asked }: Kept) =>
    text.peek().trim() !== "" && text.peek() !== first && text.peek() !== asked;

  function known(subject: string, first: string): Kept {
    const kept = all.get(subject) ?? {
      text: signal(keeper.getItem(placeOf(subject)) ?? first),
      first,
      sent: undefined,
      asked: undefined,
    };
    all.set(subject, kept);
    // It is another by now, or what was typed is asked about: the box begins anew.
    if (!isLeft(kept)) kept.text.value = first;
    kept.first = first;
    return kept;
  }

  return {
    isLeft: () => [...all.values()].some(isLeft),
    of(subject, first) {
      const kept = known(subject, first);
      const keep = () => {
        try {
          if (isLeft(kept)) keeper.setItem(placeOf(subject), kept.text.peek());
          else keeper.removeItem(placeOf(subject));
        } catch {
          keeper.removeItem(placeOf(subject)); // there is no room for it: the window has it
        }
      };
      return {
        text: kept.text,
        isLeft: () => isLeft(kept),
        write(text) {
          kept.text.value = text;
          keep();
        },
        pressed: () => void (kept.sent = kept.text.peek()),
        taken() {
          kept.asked = kept.sent;
          keep();
        },
      };
    },
  };
}

function placeOf(subject: string): string {
  return `papayu.routine.${subject}`;
}
