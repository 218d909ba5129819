import { useSignal } from "@preact/signals";
import type { ComponentProps } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { toVisibleText } from "../../core/visible-text.ts";
import { Acts, type Subject, useGuardedPress } from "../acts/acts.tsx";
import type { ChangeSet } from "../client/client.ts";
import { useCommands } from "../commands.ts";
import type { Page, UnfoldedChangeSet } from "../page.ts";
import { renderPlace } from "../route.ts";
import { FilesView, type PaneHolder } from "./files-view.tsx";
import { Head } from "./head.tsx";
import { createReview, type Review } from "./model.ts";
import {
  leadToChange,
  prefersSplit,
  SEARCH_ID,
  setSplit,
  Toolbar,
  toggleBlanks,
} from "./toolbar.tsx";
import { TreeView } from "./tree-view.tsx";
import { Waiting } from "./waiting.tsx";
import { findLine, placeOf } from "./walk.ts";

export { ChangesView } from "./past.tsx";

/** A narrow screen shows the tree only when it is asked for. */
const WIDE_PX = 900;

/** The page of one change set. */
export function ReviewPage({ page, id }: { readonly page: Page; readonly id: string }) {
  const review = useMemo(() => createReview(page.client, id, prefersSplit()), [id]);
  const changes = page.changes.value;
  useEffect(() => void review.load(), [review, changes]);
  const set = review.set.value;
  if (!set) return <Waiting page={page} review={review} />;
  return <Loaded page={page} review={review} set={set} />;
}

/** A change set within the inbox: its files, and what can be pressed. */
export function Unfolded({ page, id, onRead }: ComponentProps<UnfoldedChangeSet>) {
  const review = useMemo(() => createReview(page.client, id, false), [id]);
  const changes = page.changes.value;
  const holder = useRef<PaneHolder>({ current: undefined }).current;
  useEffect(() => void review.load(), [review, changes]);
  const set = review.set.value;
  useLayoutEffect(() => {
    if (set) onRead();
  }, [set === undefined]);
  if (!set) return <Waiting page={page} review={review} />;
  return (
    <div class="unfolded">
      <FilesView page={page} review={review} holder={holder}>
        <Head page={page} set={set} />
      </FilesView>
    </div>
  );
}

/** What can be done about a change set now: of one that is over, what its end offers. */
function subjectOf(set: ChangeSet): Subject {
  const ref = set.approval_id;
  if (set.state !== "waiting") {
    return { ref, digest: undefined, actions: set.outcome?.actions ?? [] };
  }
  return { ref, digest: set.digest, actions: set.actions };
}

function Loaded(props: { readonly page: Page; readonly review: Review; readonly set: ChangeSet }) {
  const { page, review, set } = props;
  const holder = useRef<PaneHolder>({ current: undefined }).current;
  const isTreeOpen = useSignal(window.innerWidth >= WIDE_PX && set.files.length > 1);
  const subject = subjectOf(set);
  const tryPress = useGuardedPress(page, subject);
  const route = page.route.value;
  const place = route.page === "review" ? route.place : undefined;
  useEffect(() => {
    if (!place) return;
    void findLine(review, place).then((cursor) => cursor && holder.current?.show(cursor));
  }, [review, place]);
  useEffect(() => {
    document.title = `${toVisibleText(set.workspace)} · papa-yu`;
  }, [set]);
  const pressNamed = (name: string) => {
    const act = subject.actions.find((each) => each.act === name);
    if (act) tryPress(act);
  };
  const step = (by: 1 | -1) => {
    const at = review.cursor.value?.file ?? (by === 1 ? -1 : review.files().length);
    const file = Math.min(Math.max(0, at + by), review.files().length - 1);
    holder.current?.show({ file, row: -1 });
  };
  useCommands("review", {
    next: () => step(1),
    previous: () => step(-1),
    unfold: () => {
      const file = review.cursor.value?.file;
      if (file !== undefined) review.toggle(file);
    },
    nextChange: () => void leadToChange(review, holder, 1),
    previousChange: () => void leadToChange(review, holder, -1),
    search: () => document.getElementById(SEARCH_ID)?.focus(),
    approve: () => pressNamed("approve"),
    reject: () => pressNamed("reject"),
    tree: () => (isTreeOpen.value = !isTreeOpen.value),
    split: () => setSplit(review, !review.isSplit.value),
    blanks: () => toggleBlanks(review),
    copyLink: () => void copyLink(page, review),
    inbox: () => page.go({ page: "inbox" }),
    help: () => (page.isHelpOpen.value = true),
    close: () => {
      review.query.value = "";
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    },
  });
  return (
    <div class="review">
      <Toolbar
        page={page}
        review={review}
        set={set}
        holder={holder}
        isTreeOpen={isTreeOpen.value}
        onTree={() => (isTreeOpen.value = !isTreeOpen.value)}
      />
      <div class={`panes ${isTreeOpen.value ? "with-tree" : ""}`}>
        {isTreeOpen.value && (
          <TreeView
            page={page}
            review={review}
            holder={holder}
            onChosen={() => {
              if (window.innerWidth < WIDE_PX) isTreeOpen.value = false;
            }}
          />
        )}
        <FilesView page={page} review={review} holder={holder}>
          <Head page={page} set={set} />
        </FilesView>
      </div>
      <Acts page={page} subject={subject} tryPress={tryPress} />
    </div>
  );
}

async function copyLink(page: Page, review: Review): Promise<void> {
  const cursor = review.cursor.value;
  const place = cursor && placeOf(review, cursor);
  if (!place) return;
  history.replaceState(null, "", renderPlace(place));
  await navigator.clipboard.writeText(location.href).then(
    () => (page.said.value = page.texts.value.line.copied),
    () => {}, // the address has it, too
  );
}
