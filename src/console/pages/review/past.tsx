import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { toVisibleText } from "../../../core/visible-text.ts";
import { FailedPart } from "../../acts/acts.tsx";
import type { ChangeSet, Client } from "../../client/client.ts";
import { useCommands } from "../../commands/commands.ts";
import type { Page } from "../../page/page.ts";
import { useColors } from "../../use-colors.ts";
import type { PaneHolder } from "./files-view/files-view.tsx";
import { createReview, type Source } from "./model/model.ts";
import { Files } from "./reading-view.tsx";
import {
  copyLink,
  prefersSplit,
  readingCommands,
  Toolbar,
  useLinkedLine,
} from "./toolbar/toolbar.tsx";
import { TreeView, useTree } from "./tree-view.tsx";

/** Changes that nobody is asked about as such: of the past, or what an undo would do. */
export function ChangesView(props: {
  readonly page: Page;
  /** Where the change set and its files come from. */
  readonly client: Client;
  readonly id: string;
  /** It will not be another one. */
  readonly isFixed?: boolean;
  /** Only what is told is shown. */
  readonly isHidden?: boolean;
  /** Below the files. */
  readonly foot?: ComponentChildren;
  /** Above the files. */
  readonly children: (set: ChangeSet) => ComponentChildren;
}) {
  const { page, client, id, isFixed, isHidden, foot, children } = props;
  const colors = useColors();
  const review = useMemo(
    () => createReview({ client, unkept: page.unkept }, id, prefersSplit(), false, colors),
    [client, id],
  );
  const holder = useRef<PaneHolder>({ current: undefined }).current;
  const isTreeOpen = useTree(true);
  const changes = isFixed
    ? 0
    : page.feed.news.changes.value + page.feed.news.workspaceChanges.value;
  useEffect(() => void review.source.load(), [review, changes]);
  useLinkedLine(page.nav, review, holder);
  useCommands("past", {
    ...readingCommands(page, review, holder, isTreeOpen),
    // What an undo would do has no address of its own: it is another after the next change.
    ...(isFixed && { copyLink: () => void copyLink(page, review) }),
  });
  const set = review.source.set.value;
  if (!set) return <Waiting page={page} source={review.source} />;
  if (isHidden || set.files.length === 0) {
    return (
      <div class="review without-files">
        <div class="told">{children(set)}</div>
        {foot}
      </div>
    );
  }
  const hasTree = isTreeOpen.value && set.files.length > 1;
  return (
    <div class="review">
      <Toolbar
        page={page}
        review={review}
        set={set}
        holder={holder}
        isTreeOpen={hasTree}
        onTree={() => (isTreeOpen.value = !isTreeOpen.value)}
      />
      <div class={`panes ${hasTree ? "with-tree" : ""}`}>
        {hasTree && (
          <TreeView texts={page.texts.value} review={review} holder={holder} isOpen={isTreeOpen} />
        )}
        <Files page={page} review={review} holder={holder}>
          {children(set)}
        </Files>
      </div>
      {foot ?? <div />}
    </div>
  );
}

/** What stands where a change set is not there yet, or cannot be read. */
export function Waiting(props: {
  readonly page: Pick<Page, "texts" | "view">;
  readonly source: Source;
}) {
  const { page, source } = props;
  const failure = source.failure.value;
  if (failure === undefined) return <p class="waiting">{page.texts.value.loading}</p>;
  return (
    <FailedPart page={page} reason={toVisibleText(failure)} retry={() => void source.load()} />
  );
}
