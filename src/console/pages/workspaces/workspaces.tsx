import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { toVisibleText } from "../../../core/visible-text.ts";
import { Link } from "../../acts/acts.tsx";
import { useCommands } from "../../commands/commands.ts";
import { agoOf } from "../../figures/figures.tsx";
import { messageOf, type Page, useNewest, useTitle } from "../../page/page.ts";
import { wordFor } from "../../texts/texts.ts";
import { readWorkspaces, type WorkspaceLine } from "./wire.ts";

export { TakeBackPage, TransactionPage } from "./changes.tsx";
export { WorkspacePage } from "./workspace.tsx";

/** All workspaces, and how they are. */
export function WorkspacesPage({ page }: { readonly page: Page }) {
  const { past: texts, ...others } = page.texts.value;
  const lines = useSignal<readonly WorkspaceLine[] | undefined>(undefined);
  const failure = useSignal<string | undefined>(undefined);
  const changes = page.feed.news.workspaceChanges.value;
  useNewest(
    () => page.client.get("/api/workspaces"),
    {
      take(value) {
        lines.value = readWorkspaces(value);
        failure.value = undefined;
      },
      failed: (error) => (failure.value = messageOf(error)),
    },
    [changes],
  );
  useTitle(page.view, texts.title);
  useCommands("list", {
    inbox: () => page.nav.go({ page: "inbox" }),
    help: () => (page.view.isHelpOpen.value = true),
  });
  const items = page.feed.inbox.value?.items ?? [];
  if (!lines.value) {
    const said = failure.value;
    return <p class="waiting">{said === undefined ? others.loading : toVisibleText(said)}</p>;
  }
  return (
    <div class="inbox">
      <h1>
        {texts.title} <span class="quiet">{lines.value.length}</span>
      </h1>
      {lines.value.length === 0 && (
        <div class="empty">
          <h2>{texts.none}</h2>
          <p>{texts.noneText}</p>
        </div>
      )}
      <ul class="items">
        {lines.value.map((line) => (
          <Line
            key={line.name}
            page={page}
            line={line}
            waits={items.filter(({ workspace }) => workspace === line.name).length}
          />
        ))}
      </ul>
    </div>
  );
}

function Line(props: {
  readonly page: Pick<Page, "feed" | "nav" | "texts">;
  readonly line: WorkspaceLine;
  readonly waits: number;
}) {
  const { page, line, waits } = props;
  const { past: texts, language } = page.texts.value;
  const { name, root, state, transactions, isMore, newest } = line;
  return (
    <li class="item">
      <div class="item-head">
        <Link nav={page.nav} to={{ page: "workspace", name }} class="item-main item-link">
          <span class={`kind state-${state === "ready" ? "ready" : "off"}`}>
            <StateSign state={state} /> {wordFor(texts.states, state, texts.states.other)}
          </span>
          <bdi class="item-title">{toVisibleText(name)}</bdi>
        </Link>
        <p class="item-facts">
          <bdi>{toVisibleText(root)}</bdi>
          {waits > 0 && <strong>{texts.waits(waits)}</strong>}
          <span>{texts.changes(transactions, isMore)}</span>
          {newest && (
            <span>
              {texts.newest(agoOf(page, newest.at))}: <bdi>{toVisibleText(newest.summary)}</bdi>
            </span>
          )}
        </p>
      </div>
    </li>
  );
}

/** The same for who tells no colours apart. */
export function StateSign({ state }: { readonly state: string }) {
  return <span aria-hidden="true">{state === "ready" ? "✓" : "!"}</span>;
}
