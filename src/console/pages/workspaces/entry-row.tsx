import { toVisibleText } from "../../../core/visible-text.ts";
import { Link } from "../../acts/acts.tsx";
import { agoOf } from "../../figures/figures.tsx";
import type { Page } from "../../page/page.ts";
import { type Texts, wordFor } from "../../texts/texts.ts";
import { endOf } from "./taken-back.ts";
import type { Entry } from "./wire.ts";

/** One transaction in the timeline. */
export function EntryRow(props: {
  readonly page: Page;
  readonly workspace: string;
  readonly entry: Entry;
  readonly isTakenBack: boolean;
}) {
  const { page, workspace, entry, isTakenBack } = props;
  const texts = page.texts.value;
  const status = endOf(entry, isTakenBack);
  const title = toVisibleText(entry.goal || entry.summary);
  const to = { page: "workspace", name: workspace, part: entry.tx_id } as const;
  return (
    <li class="item entry">
      <div class="item-head">
        <p class="item-main">
          <span class={`kind outcome-${status}`}>
            <span aria-hidden="true">{SIGNS[status] ?? "•"}</span>{" "}
            {wordFor(texts.outcomes, status, texts.outcomes.other)}
          </span>
          <bdi class="item-title">
            {entry.kind === "apply"
              ? title
              : texts.past.of(wordFor(texts.past.kinds, entry.kind, texts.past.kinds.other), title)}
          </bdi>
        </p>
        <EntryFacts page={page} entry={entry} />
        <Link nav={page.nav} to={to} class="act other" label={`${texts.past.show}: ${title}`}>
          {texts.past.show}
        </Link>
      </div>
    </li>
  );
}

/** What a state looks like to who tells no colours apart. */
const SIGNS: Readonly<Record<string, string>> = {
  committed: "✓",
  rolled_back: "✗",
  undone: "↶",
  open: "…",
};

/** When, by whom, how much, and what its checks came to. */
export function EntryFacts({
  page,
  entry,
}: {
  readonly page: Pick<Page, "feed" | "nav" | "texts">;
  readonly entry: Entry;
}) {
  const texts = page.texts.value;
  const { past, language } = texts;
  const { at, checks, trace_id: traceId, part, error, kept } = entry;
  return (
    <>
      <p class="item-facts">
        <time dateTime={new Date(at).toISOString()} title={new Date(at).toLocaleString(language)}>
          {agoOf(page, at)}
        </time>
        <span>{askedBy(entry, texts)}</span>
        {figuresOf(entry, texts).map((figure) => (
          <span key={figure}>{figure}</span>
        ))}
        {part && <span>{past.part(part.number, part.all)}</span>}
        {checks.map(({ command, ok, took_ms: took }, n) => (
          <span key={n} class={`check ${ok ? "passed" : "failed"}`}>
            <span role="img" aria-label={ok ? texts.check.passed : texts.check.failed}>
              {ok ? "✓" : "✗"}
            </span>{" "}
            <code>{toVisibleText(command)}</code>
            {took !== undefined && ` ${texts.seconds((took / 1000).toFixed(1))}`}
          </span>
        ))}
        {traceId !== undefined && (
          <Link nav={page.nav} to={{ page: "trace", id: traceId }}>
            {past.trace(toVisibleText(traceId))}
          </Link>
        )}
      </p>
      {error !== undefined && <p class="entry-error">{toVisibleText(error)}</p>}
      {kept.length > 0 && (
        <p class="entry-error">{past.kept(kept.map(toVisibleText).join(", "))}</p>
      )}
    </>
  );
}

function askedBy({ channel, routine }: Entry, { past }: Texts): string {
  if (routine !== undefined) return past.byRoutine(toVisibleText(routine));
  return wordFor(past.channels, channel, past.channels.other);
}

function figuresOf({ created, updated, deleted }: Entry, { past }: Texts): readonly string[] {
  const { figures } = past;
  return [
    ...(created > 0 ? [figures.created(created)] : []),
    ...(updated > 0 ? [figures.updated(updated)] : []),
    ...(deleted > 0 ? [figures.deleted(deleted)] : []),
  ];
}
