import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { toVisibleText } from "../../../core/visible-text.ts";
import { Acts, Link, PressText, type Subject, useGuardedPress } from "../../acts/acts.tsx";
import { type Client, createNewest, readContent } from "../../client/client.ts";
import { PathName } from "../../figures/figures.tsx";
import { type Page, useNewest, useTitle } from "../../page/page.ts";
import { type Texts, wordFor } from "../../texts/texts.ts";
import { ChangesView, Checks } from "../review/review.tsx";
import { EntryFacts } from "./entry-row.tsx";
import { endOf } from "./taken-back.ts";
import { type Entry, readEntry, readTakeBack, readTransaction, type TakeBack } from "./wire.ts";

/** What a transaction did to the files. */
export function TransactionPage(props: {
  readonly page: Page;
  readonly name: string;
  readonly txId: string;
}) {
  const { page, name, txId } = props;
  useTitle(page.view, toVisibleText(name));
  const { past: texts, ...others } = page.texts.value;
  const entry = useSignal<Entry | undefined>(undefined);
  const at = `/api/workspaces/${encodeURIComponent(name)}/transactions/${encodeURIComponent(txId)}`;
  const client = useMemo(
    (): Client => ({
      ...page.client,
      async changeSet() {
        const value = await page.client.get(at);
        entry.value = readEntry(value);
        return readTransaction(value);
      },
      file: async (_id, n) => readContent(await page.client.get(`${at}/files/${n}`)),
      image: (_id, n, side) => page.client.blob(`${at}/files/${n}/${side}`),
    }),
    [at],
  );
  const changes = page.feed.news.workspaceChanges.value;
  // Its files stay what they are; what became of it may be another by each change that follows.
  useNewest(
    entry.value && (async () => readEntry(await page.client.get(at))),
    { take: (read) => (entry.value = read), failed() {} },
    [changes],
  );
  return (
    <ChangesView page={page} client={client} id={txId} isFixed={true}>
      {(set) => {
        const gone = set.files.filter(({ isGone }) => isGone).length;
        const shown = entry.value;
        return (
          <div class="review-head">
            <p class="eyebrow">
              <Back page={page} name={name} />
              {shown && (
                <span class={`state ${endOf(shown, shown.isTakenBack)}`}>
                  {wordFor(others.outcomes, endOf(shown, shown.isTakenBack), others.outcomes.other)}
                </span>
              )}
            </p>
            {shown && (
              <>
                <h1>{toVisibleText(shown.goal || shown.summary)}</h1>
                {shown.goal !== "" && shown.goal !== shown.summary && (
                  <p class="summary">{toVisibleText(shown.summary)}</p>
                )}
                <EntryFacts page={page} entry={shown} />
              </>
            )}
            <Checks texts={page.texts.value} set={set} />
            {gone > 0 && <p>{gone === set.files.length ? texts.gone : texts.someGone}</p>}
          </div>
        );
      }}
    </ChangesView>
  );
}

/** What an undo or a redo would do, and the button that does exactly this. */
export function TakeBackPage(props: {
  readonly page: Page;
  readonly name: string;
  readonly kind: "undo" | "redo";
}) {
  const { page, name, kind } = props;
  useTitle(page.view, toVisibleText(name));
  const shown = useSignal<TakeBack | undefined>(undefined);
  /** What somebody came to take back; what comes behind it is shown when it is asked for. */
  const first = useSignal<TakeBack | undefined>(undefined);
  const at = `/api/workspaces/${encodeURIComponent(name)}/${kind}`;
  const fileAt = (n: number) => `${at}/${encodeURIComponent(shown.value?.digest ?? "")}/files/${n}`;
  const client = useMemo((): Client => {
    const show = createNewest<TakeBack>({
      take(read) {
        shown.value = read;
        if (!first.value?.tx_id) first.value = read;
      },
      failed() {}, // said where it is asked for
    });
    return {
      ...page.client,
      async changeSet() {
        const reading = page.client.get(at).then(readTakeBack);
        await show(() => reading);
        return (await reading).set;
      },
      file: async (_id, n) => readContent(await page.client.get(fileAt(n))),
      image: (_id, n, side) => page.client.blob(`${fileAt(n)}/${side}`),
    };
  }, [at]);
  const back = shown.value;
  const before = first.value;
  const isOver = back !== undefined && before !== undefined && before.tx_id !== back.tx_id;
  const subject: Subject = {
    ref: isOver ? before.tx_id : (back?.tx_id ?? ""),
    digest: back?.digest,
    actions: isOver ? [] : (back?.actions ?? []),
    notes: back?.set.locked && !isOver ? [page.texts.value.locked] : [],
  };
  const tryPress = useGuardedPress(page, subject);
  return (
    <ChangesView
      page={page}
      client={client}
      id={kind}
      isHidden={isOver}
      foot={<Acts page={page} subject={subject} tryPress={tryPress} />}
    >
      {() => (
        <div class="review-head">
          <p class="eyebrow">
            <Back page={page} name={name} />
          </p>
          {isOver ? (
            <>
              <h1>{titleOf(kind, before, page.texts.value.past)}</h1>
              <PressText page={page} subject={subject.ref} />
              {back.tx_id === "" ? (
                <p class="row-of-acts quiet">{page.texts.value.past.nothing[kind]}</p>
              ) : (
                <p class="row-of-acts">
                  <button
                    type="button"
                    class="act other"
                    onClick={() => {
                      page.view.movedAt.value = performance.now();
                      first.value = back;
                    }}
                  >
                    {page.texts.value.past.more[kind]}
                  </button>
                </p>
              )}
            </>
          ) : (
            back && <TakeBackText page={page} kind={kind} back={back} />
          )}
        </div>
      )}
    </ChangesView>
  );
}

function TakeBackText(props: {
  readonly page: Page;
  readonly kind: "undo" | "redo";
  readonly back: TakeBack;
}) {
  const { page, kind, back } = props;
  const { past: texts, files } = page.texts.value;
  const { refused, merged, conflicts, notes, set, tx_id: txId } = back;
  if (txId === "") return <h1>{texts.nothing[kind]}</h1>;
  return (
    <>
      <h1>{titleOf(kind, back, texts)}</h1>
      <PressText page={page} subject={txId} />
      {refused !== undefined && (
        <section class="panel bad" aria-label={texts.refused[kind]}>
          <p>{toVisibleText(refused)}</p>
        </section>
      )}
      {refused === undefined && <p>{texts.goesBack(files(set.files.length))}</p>}
      <Paths title={texts.merged} paths={merged} tone="" />
      <Paths
        title={texts.conflicts}
        paths={conflicts.map(({ path, reason }) => `${path}: ${reason}`)}
        tone="bad"
      />
      {notes.map((note, at) => (
        <p key={at}>{toVisibleText(note)}</p>
      ))}
    </>
  );
}

function titleOf(kind: "undo" | "redo", { summary }: TakeBack, texts: Texts["past"]): string {
  const { undoTitle, redoTitle } = texts;
  return (kind === "undo" ? undoTitle : redoTitle)(toVisibleText(summary));
}

function Paths(props: {
  readonly title: string;
  readonly paths: readonly string[];
  readonly tone: string;
}) {
  const { title, paths, tone } = props;
  if (paths.length === 0) return null;
  return (
    <section class={`panel ${tone}`} aria-label={title}>
      <h2>{title}</h2>
      <ul class="plain">
        {paths.map((path, at) => (
          <li key={at}>
            <PathName path={path} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Back({
  page,
  name,
}: {
  readonly page: Pick<Page, "nav" | "texts">;
  readonly name: string;
}) {
  return (
    <Link nav={page.nav} to={{ page: "workspace", name }}>
      {page.texts.value.past.back}: <bdi>{toVisibleText(name)}</bdi>
    </Link>
  );
}
