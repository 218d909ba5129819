import { type Signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { toVisibleText } from "../../../core/visible-text.ts";
import { Link } from "../../acts/acts.tsx";
import { useCommands } from "../../commands/commands.ts";
import { messageOf, type Page, useNewest, useTitle } from "../../page/page.ts";
import { type Texts, wordFor } from "../../texts/texts.ts";
import { EntryRow } from "./entry-row.tsx";
import { takenBack } from "./taken-back.ts";
import { type Entry, type WorkspacePage as Read, readWorkspace } from "./wire.ts";

/** So many transactions come at each press. */
const STEP = 50;

/** One workspace: how it is, and what was done in it. */
export function WorkspacePage({ page, name }: { readonly page: Page; readonly name: string }) {
  const texts = page.texts.value;
  const read = useSignal<Read | undefined>(undefined);
  const older = useSignal<readonly Entry[]>([]);
  const next = useSignal<string | undefined>(undefined);
  const failure = useSignal<string | undefined>(undefined);
  const changes = page.feed.news.workspaceChanges.value;
  const pastChanges = page.feed.news.changes.value;
  const at = `/api/workspaces/${encodeURIComponent(name)}`;
  const failed = (error: unknown) => (failure.value = messageOf(error));
  useNewest(
    () => page.client.get(at),
    {
      take(value) {
        const fresh = readWorkspace(value);
        // What was read of the past stays, as long as the newest page meets it.
        const known = [...(read.value?.entries ?? []), ...older.value];
        const last = fresh.entries.at(-1)?.tx_id;
        const behind = known.findIndex(({ tx_id: txId }) => txId === last);
        const isMet = behind >= 0 && behind < known.length - 1;
        older.value = isMet ? known.slice(behind + 1) : [];
        if (!isMet) next.value = fresh.older;
        read.value = fresh;
        failure.value = undefined;
      },
      failed,
    },
    [at, changes, pastChanges],
  );
  useTitle(page.view, toVisibleText(name));
  useCommands("list", {
    inbox: () => page.nav.go({ page: "inbox" }),
    help: () => (page.view.isHelpOpen.value = true),
  });
  const showOlder = () => {
    const before = next.value;
    if (before === undefined) return;
    page.client.get(`${at}?limit=${STEP}&before=${encodeURIComponent(before)}`).then((value) => {
      if (next.value !== before) return; // pressed twice
      const fresh = readWorkspace(value);
      older.value = [...older.value, ...fresh.entries];
      next.value = fresh.older;
    }, failed);
  };
  if (!read.value) {
    const said = failure.value;
    return <p class="waiting">{said === undefined ? texts.loading : toVisibleText(said)}</p>;
  }
  const { state, root, file } = read.value;
  const isGone = state === "gone";
  return (
    <div class="inbox workspace">
      <h1>
        <bdi>{toVisibleText(name)}</bdi>
      </h1>
      <p class="item-facts">
        <span class={`kind state-${state === "ready" ? "ready" : "off"}`}>
          <span aria-hidden="true">{state === "ready" ? "✓" : "!"}</span>{" "}
          {wordFor(texts.past.states, state, texts.past.states.other)}
        </span>
        <bdi>{toVisibleText(root)}</bdi>
      </p>
      {isGone && file !== undefined && <p>{texts.past.goneText(toVisibleText(file))}</p>}
      {!isGone && (
        <p class="row-of-acts">
          <Link nav={page.nav} to={{ page: "chat", workspace: name }} class="act other">
            {texts.past.ask}
          </Link>
          <Link nav={page.nav} to={{ page: "workspace", name, part: "undo" }} class="act other">
            {texts.past.undo}
          </Link>
          <Link nav={page.nav} to={{ page: "workspace", name, part: "redo" }} class="act other">
            {texts.past.redo}
          </Link>
        </p>
      )}
      {!isGone && (
        <Timeline page={page} read={read.value} older={older.value} next={next} show={showOlder} />
      )}
      {!isGone && <Known texts={texts} read={read.value} />}
    </div>
  );
}

function Timeline(props: {
  readonly page: Page;
  readonly read: Read;
  readonly older: readonly Entry[];
  readonly next: Signal<string | undefined>;
  readonly show: () => void;
}) {
  const { page, read, older, next, show } = props;
  const { past: texts } = page.texts.value;
  const entries = [...read.entries, ...older];
  const gone = takenBack(entries);
  const left = read.transactions - entries.length;
  return (
    <section aria-label={texts.past}>
      <h2>
        {texts.past}{" "}
        {entries.length > 0 && (
          <span class="quiet">
            {next.value === undefined
              ? texts.shown(entries.length, entries.length, false)
              : texts.shown(entries.length, read.transactions, read.isMore)}
          </span>
        )}
      </h2>
      {entries.length === 0 && <p class="quiet">{texts.untouched}</p>}
      <ul class="items">
        {entries.map((entry) => (
          <EntryRow
            key={entry.tx_id}
            page={page}
            workspace={read.name}
            entry={entry}
            isTakenBack={gone.has(entry.tx_id)}
          />
        ))}
      </ul>
      {next.value !== undefined && (
        <button type="button" class="act other" onClick={show}>
          {texts.older(read.isMore ? STEP : Math.max(1, Math.min(STEP, left)))}
        </button>
      )}
    </section>
  );
}

/** What is known of the folder: its checks, and what is preferred in it. */
function Known({
  texts: { past: texts, seconds },
  read,
}: {
  readonly texts: Texts;
  readonly read: Read;
}) {
  const { checks, preferences, preferences_error: unread } = read;
  return (
    <>
      <section class="panel" aria-label={texts.checks}>
        <h2>{texts.checks}</h2>
        {checks.length === 0 && <p>{texts.noChecks}</p>}
        <ul class="plain">
          {checks.map(({ command, from, took_ms: took }, at) => (
            <li key={at}>
              <code>{toVisibleText(command)}</code>{" "}
              <span class="quiet">
                {from !== undefined && `${texts.found(toVisibleText(from))}, `}
                {took === undefined
                  ? texts.neverRun
                  : texts.took(seconds((took / 1000).toFixed(1)))}
              </span>
            </li>
          ))}
        </ul>
      </section>
      <section class="panel" aria-label={texts.preferences}>
        <h2>{texts.preferences}</h2>
        {unread !== undefined && <p>{toVisibleText(unread)}</p>}
        {unread === undefined && preferences.length === 0 && <p>{texts.noPreferences}</p>}
        <ul class="plain">
          {preferences.map(([key, value]) => (
            <li key={key}>
              <code>{key}</code> <span>{toVisibleText(value)}</span>
            </li>
          ))}
        </ul>
      </section>
    </>
  );
}
