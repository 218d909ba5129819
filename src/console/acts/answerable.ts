import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Item } from "../client/client.ts";
import type { Page, Unread } from "../page/page.ts";
import { type Subject, type TryPress, useGuardedPress } from "./guarded-press.ts";

/** What can be done about one thing that waits, where it stands. */
export interface Answerable {
  readonly subject: Subject;
  readonly tryPress: TryPress;
  /** It is there to be read, and so to be answered. */
  readonly isReadable: boolean;
  /** To be told what of its change set could be read. */
  readonly onRead: (unread: Unread, notes: readonly string[]) => void;
}

interface ReadAs {
  readonly ref: string;
  readonly unread: Unread;
  readonly notes: readonly string[];
}

/**
 * A change set is answered where it is unfolded and can be read, and only by buttons that are there;
 * anything else as it stands.
 */
export function useAnswerable(
  page: Page,
  item: Pick<Item, "kind" | "ref" | "digest" | "actions"> &
    Partial<Pick<Item, "locked" | "isRejected">>,
  isOpen: boolean,
): Answerable {
  const { kind, ref, digest, actions, locked, isRejected = false } = item;
  const readAs = useSignal<ReadAs | undefined>(undefined);
  const read = readAs.value;
  const isReadable = kind !== "change_set" || (isOpen && read?.ref === ref);
  const subject = {
    ref,
    digest,
    actions: isReadable ? actions : [],
    ...(read && { unread: read.unread }),
    isRejected,
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
      if (subject.actions.some((each) => each.act === act.act)) press(act);
    },
    onRead(unread, notes) {
      const isNew = readAs.value?.ref !== ref;
      readAs.value = { ref, unread, notes };
      if (isNew) page.view.movedAt.value = performance.now();
    },
  };
}
