import { type Signal, signal } from "@preact/signals";

/** What is about to be said in a conversation that is none yet. */
export interface Beginning {
  readonly draft: Signal<string>;
  readonly files: Signal<readonly File[]>;
  /** It is on its way to its workspace: nothing is said twice, however often the place is shown. */
  readonly isUnderWay: Signal<boolean>;
  /** Why the last one did not get there. */
  readonly refused: Signal<string | undefined>;
  /** The conversation that is about that workspace already, and in which nothing was said. */
  session: string | undefined;
}

/** Those of one page, by the workspace that they are to be about: they stay while another place is shown. */
export interface Beginnings {
  of(workspace: string): Beginning;
  /** It was said. */
  clear(workspace: string): void;
  /** A conversation that was made ready is one like others now. */
  taken(session: string): void;
  readonly isLeft: () => boolean;
}

/** Nothing is begun. */
export function createBeginnings(): Beginnings {
  const all = new Map<string, Beginning>();
  return {
    of(workspace) {
      const known = all.get(workspace);
      if (known) return known;
      const made: Beginning = {
        draft: signal(firstWords(workspace)),
        files: signal([]),
        isUnderWay: signal(false),
        refused: signal(undefined),
        session: undefined,
      };
      all.set(workspace, made);
      return made;
    },
    clear(workspace) {
      const begun = all.get(workspace);
      if (!begun) return;
      begun.draft.value = firstWords(workspace);
      begun.files.value = [];
      begun.session = undefined;
    },
    taken(session) {
      for (const begun of all.values()) if (begun.session === session) begun.session = undefined;
    },
    isLeft: () => [...all].some(([workspace, each]) => isLeft(each, firstWords(workspace))),
  };
}

/** Whether there is something in it that a person put there. */
export function isLeft({ draft, files }: Pick<Beginning, "draft" | "files">, first = ""): boolean {
  const text = draft.peek().trim();
  return (text !== "" && text !== first.trim()) || files.peek().length > 0;
}

function firstWords(workspace: string): string {
  return workspace === "" ? "" : "plan: ";
}
