import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Item } from "../client/client.ts";
import type { Page, ReadSet } from "../page/page.ts";
import { besideDraft } from "./beside-draft.ts";
import { type Subject, type TryPress, useGuardedPress } from "./guarded-press.ts";
import { besideWords } from "./plan-words.tsx";

/** What can be done about one thing that waits, where it stands. */
export interface Answerable {
  readonly subject: Subject;
  readonly tryPress: TryPress;
  /** It is there to be read, and so to be answered. */
  readonly isReadable: boolean;
  /** To be told what of its change set could be read. */
  readonly onRead: (read: ReadSet) => void;
}

interface ReadAs extends ReadSet {
  readonly ref: string;
}

/**
 * A change set is answered where it is unfolded and can be read, and only by buttons that are there;
 * anything else as it stands.
 */
export function useAnswerable(
  page: Page,
  item: Pick<Item, "kind" | "ref" | "digest" | "actions"> &
    Partial<Pick<Item, "session_id" | "locked" | "isRejected" | "failed">>,
  isOpen: boolean,
): Answerable {
  const { kind, ref, digest, locked, isRejected = false, failed } = item;
  const readAs = useSignal<ReadAs | undefined>(undefined);
  const read = readAs.value;
  const { texts, presses } = page;
  const words = kind === "plan" ? presses.planWords.of(item) : undefined;
  const actions = besideWords(item.actions, words, texts.value);
  const isReadable = kind !== "change_set" || (isOpen && read?.ref === ref);
  const subject = {
    ref,
    digest,
    actions: !isReadable
      ? []
      : read
        ? besideDraft(ref, actions, read.unsent, page.texts.value)
        : actions,
    ...(read && { unread: read.unread }),
    isRejected,
    hasFailed: failed !== undefined,
    notes: locked ? [page.texts.value.locked] : (read?.notes ?? []),
  };
  const press = useGuardedPress(page, subject);
  useEffect(() => {
    if (!isOpen) readAs.value = undefined;
  }, [isOpen]);
  return {
    subject,
    isReadable,
    tryPress(act) {
      const offered = subject.actions.find((each) => each.act === act.act);
      if (offered) press(act.words === undefined ? offered : { ...offered, words: act.words });
    },
    onRead(next) {
      const isNew = readAs.value?.ref !== ref;
      readAs.value = { ref, ...next };
      if (isNew) page.view.movedAt.value = performance.now();
    },
  };
}
