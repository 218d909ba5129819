import type { ComponentProps } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { toVisibleText } from "../../../core/visible-text.ts";
import {
  Acts,
  besideDraft,
  leadToAct,
  type Subject,
  type TryPress,
  useGuardedPress,
  useOutcomeFocus,
  whyNoYes,
} from "../../acts/acts.tsx";
import type { ChangeSet } from "../../client/client.ts";
import { useCommands } from "../../commands/commands.ts";
import {
  isUnderWay,
  type Page,
  type UnfoldedChangeSet,
  type Unread,
  useTitle,
} from "../../page/page.ts";
import { type Texts, wordFor } from "../../texts/texts.ts";
import { useColors } from "../../use-colors.ts";
import { CommentRow, extendBy, namesOfLines, placeHere } from "./comment/comment.tsx";
import { countUnread } from "./file-facts.ts";
import type { PaneHolder } from "./files-view/files-view.tsx";
import { Head } from "./head.tsx";
import { createReview, isAt, type Review } from "./model/model.ts";
import { Waiting } from "./past.tsx";
import { Files } from "./reading-view.tsx";
import { countSeen, see } from "./seen-view.tsx";
import {
  copyLink,
  prefersSplit,
  readingCommands,
  Toolbar,
  useLinkedLine,
} from "./toolbar/toolbar.tsx";
import { TreeView, useTree } from "./tree-view.tsx";
import { toChange, toUnsent, UnsentView } from "./unsent-view.tsx";

export { Checks } from "./head.tsx";
export { ChangesView } from "./past.tsx";

/** The page of one change set. */
export function ReviewPage({ page, id }: { readonly page: Page; readonly id: string }) {
  const colors = useColors();
  const review = useMemo(() => createReview(page, id, prefersSplit(), true, colors), [id]);
  useLoaded(page, review);
  const set = review.source.set.value;
  if (!set) return <Waiting page={page} source={review.source} />;
  return <Loaded page={page} review={review} set={set} />;
}

/** A change set within the inbox: its files, and what can be pressed. */
export function Unfolded({ page, id, onRead }: ComponentProps<UnfoldedChangeSet>) {
  const colors = useColors();
  const review = useMemo(() => createReview(page, id, false, false, colors), [id]);
  const holder = useRef<PaneHolder>({ current: undefined }).current;
  useLoaded(page, review);
  const set = review.source.set.value;
  const unread = unreadIn(review);
  const notes = set ? notesOn(page.texts.value, set) : [];
  const unsent = toUnsent(review);
  useLayoutEffect(() => {
    if (set) onRead({ unread, notes, unsent });
  }, [
    set === undefined,
    unread.count,
    unread.isRetrying,
    notes.join("\n"),
    JSON.stringify(unsent),
  ]);
  if (!set) return <Waiting page={page} source={review.source} />;
  return (
    <div class="unfolded">
      <Files page={page} review={review} holder={holder}>
        <Head page={page} set={set} />
      </Files>
    </div>
  );
}

/**
 * Asks for a change set, and again when it may be another: by its line in the inbox, by what was ticked
 * in it, by what came of a press about it, and by what happened to files. Of a thousand files it is
 * large, and most of what happens is about something else.
 */
function useLoaded({ feed, presses }: Pick<Page, "feed" | "presses">, review: Review): void {
  const { id } = review;
  const { inbox, news } = feed;
  const item = inbox.value?.items.find(({ ref }) => ref === id);
  const press = presses.states.value.get(id);
  const now = [
    JSON.stringify(item),
    isUnderWay(press) ? "" : press?.phase,
    news.setChanges.value.get(id),
    news.workspaceChanges.value,
  ].join("\n");
  useEffect(() => void review.source.load(), [review, now]);
}

function unreadIn(review: Review): Unread {
  return {
    count: countUnread(review),
    isRetrying: review.source.isRetrying(),
    retry: () => void review.source.retry(),
  };
}

/** What can be done about a change set now: of one that is over, what its end offers. */
function subjectOf(texts: Texts, set: ChangeSet, review: Review): Subject {
  const ref = set.approval_id;
  const notes = notesOn(texts, set);
  if (set.state !== "waiting") {
    return { ref, digest: undefined, actions: set.outcome?.actions ?? [], notes };
  }
  const { digest } = set;
  const seen = countSeen(texts, review);
  const all = seen === undefined ? notes : [...notes, seen];
  const answers = besideDraft(ref, set.actions, toUnsent(review), texts);
  const actions = review.person.mayRevise() ? [...answers, toChange(texts, review)] : answers;
  return { ref, digest, actions, unread: unreadIn(review), notes: all };
}

/** Why a button is missing, or what a yes does before anything else. */
function notesOn(texts: Texts, { locked, state, actions, check, checks, unseen }: ChangeSet) {
  const { afterYes, locked: isLocked } = texts;
  if (locked) return [isLocked];
  const isAsked = state === "waiting" && actions.some(({ act }) => act === "approve");
  if (!isAsked || check || checks.length === 0) return [];
  return [wordFor(afterYes, unseen ?? "", afterYes.other)];
}

function Loaded(props: { readonly page: Page; readonly review: Review; readonly set: ChangeSet }) {
  const { page, review, set } = props;
  const texts = page.texts.value;
  const holder = useRef<PaneHolder>({ current: undefined }).current;
  const isTreeOpen = useTree(set.files.length > 1);
  const subject = subjectOf(texts, set, review);
  useOutcomeFocus(page.presses, subject.ref);
  const guarded = useGuardedPress(page, subject);
  const tryPress: TryPress = (act) => {
    // Without a word of what should be different there is nothing to send yet.
    if (act.act === "revise" && !act.revision) review.opening.comment({});
    else guarded(act);
  };
  useLinkedLine(page.nav, review, holder);
  useTitle(page.view, toVisibleText(set.workspace));
  const main = useRef<HTMLDivElement>(null);
  const pressNamed = (name: string) => {
    const act = subject.actions.find((each) => each.act === name);
    if (act?.passesOver !== undefined) leadToAct(main.current, name);
    else if (act) tryPress(act);
    else if (name === "approve") {
      page.view.said.value = whyNoYes(subject.actions, texts) ?? page.view.said.value;
    }
  };
  useCommands(
    "review",
    {
      ...readingCommands(page, review, holder, isTreeOpen),
      approve: () => pressNamed("approve"),
      reject: () => pressNamed("reject"),
      copyLink: () => void copyLink(page, review),
      comment: () => {
        const place = placeHere(review);
        if (place && review.person.mayRevise()) review.opening.comment(place);
      },
      extendDown: () => extend(page, review, holder, 1),
      extendUp: () => extend(page, review, holder, -1),
      seen: () => {
        const at = review.position.cursor()?.file;
        if (at === undefined) return;
        see(page, review, at);
        holder.current?.show({ file: at, row: -1 });
      },
    },
    () => (page.view.said.value = page.texts.value.press.tooSoon),
  );
  return (
    <div class="review" ref={main}>
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
          <TreeView texts={texts} review={review} holder={holder} isOpen={isTreeOpen} />
        )}
        <Files page={page} review={review} holder={holder}>
          <Head page={page} set={set} />
          <CommentRow texts={texts} review={review} />
        </Files>
      </div>
      <UnsentView
        texts={texts}
        person={review.person}
        unkept={page.unkept}
        before={set.previous?.approval_id}
      />
      <Acts page={page} subject={subject} tryPress={tryPress} />
    </div>
  );
}

/** Goes on by a line from where somebody is, in sight and told. */
function extend(
  { texts, view }: Pick<Page, "texts" | "view">,
  review: Review,
  holder: PaneHolder,
  step: 1 | -1,
): void {
  const cursor = review.position.cursor();
  const place = review.person.mayRevise() ? extendBy(review, step) : undefined;
  const end = review.position.stretch();
  if (!place || !cursor || !end) return;
  view.said.value = namesOfLines(place, texts.value.comment);
  const rows = review.files()[cursor.file]?.laid.rows ?? [];
  const row = rows.findIndex((each) => isAt(each, { side: end.side, line: end.end }));
  holder.current?.reveal({ file: cursor.file, row });
}
