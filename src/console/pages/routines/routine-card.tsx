import { useSignal } from "@preact/signals";
import { toVisibleText } from "../../../core/visible-text.ts";
import { Acts, Link, PressText, useGuardedPress } from "../../acts/acts.tsx";
import type { Act, Item } from "../../client/client.ts";
import { agoOf } from "../../figures/figures.tsx";
import { type Page, useNewest } from "../../page/page.ts";
import { type Texts, wordFor } from "../../texts/texts.ts";
import { ChangeRoutine } from "./new-routine.tsx";
import { Strip } from "./strip.tsx";
import { toTimes } from "./times.ts";
import { type FullRun, type Routine, type RunPage, readRuns } from "./wire.ts";
import type { AllWords } from "./words.ts";

/** One routine. */
export function RoutineCard({
  page,
  words,
  routine,
}: {
  readonly page: Page;
  readonly words: AllWords;
  readonly routine: Routine;
}) {
  const { routines: texts } = page.texts.value;
  const { name, schedule, timezone, mode, workspace, task, state, reason, next, last } = routine;
  const isOff = state !== "waiting" && state !== "running";
  const stops = routine.actions.filter(({ act }) => act === "stop_routine");
  const others = routine.actions.filter(({ act }) => act !== "stop_routine");
  return (
    <li class="item routine">
      <section aria-label={toVisibleText(name)}>
        <p class="item-main">
          <span class={`kind ${isOff ? "state-off" : "state-ready"}`}>
            <span aria-hidden="true">{SIGNS[state] ?? "!"}</span>{" "}
            {wordFor(texts.states, state, texts.states.other)}
          </span>
          <bdi class="item-title">{toVisibleText(name)}</bdi>
        </p>
        <p class="item-facts">
          <code>{toVisibleText(schedule)}</code>
          <span>{timezone}</span>
          <span>{mode}</span>
          {workspace !== undefined && <bdi>{toVisibleText(workspace)}</bdi>}
          {next.length > 0 && (
            <span>{texts.next(next.map((each) => toTimes(each, timezone, texts)).join("; "))}</span>
          )}
          <span>
            {last
              ? texts.last(
                  wordFor(texts.runs, last.state, texts.runs.other),
                  agoOf(page, last.due_at),
                )
              : texts.neverRan}
          </span>
        </p>
        {reason !== undefined && <p class="entry-error">{texts.why(toVisibleText(reason))}</p>}
        {last?.state === "failed" && (
          <p class="entry-error">
            {texts.failedHere} {toVisibleText(last.error ?? last.output)}{" "}
            {page.feed.inbox.value?.items.some(isFailureOf(name)) && (
              <Link nav={page.nav} to={{ page: "inbox" }}>
                {texts.toInbox}
              </Link>
            )}
          </p>
        )}
        <details>
          <summary>{texts.task}</summary>
          <pre class="output wrap">{toVisibleText(task)}</pre>
        </details>
        <ChangeRoutine page={page} words={words} routine={routine} />
        <Past page={page} routine={routine} />
        <PressText page={page} subject={name} />
        <PressText page={page} subject={stopOf(name)} />
        {others.length > 0 && <Pressed page={page} subject={name} actions={others} />}
        {stops.length > 0 && <Pressed page={page} subject={stopOf(name)} actions={stops} />}
      </section>
    </li>
  );
}

/** What was set aside is in no inbox. */
function isFailureOf(name: string): (item: Item) => boolean {
  return ({ kind, ref }) => kind === "failed_routine" && ref === name;
}

/** A run that is on its way does not keep anybody from stopping it. */
function stopOf(name: string): string {
  return `stop ${name}`;
}

const SIGNS: Readonly<Record<string, string>> = { waiting: "✓", running: "▶", disabled: "⏸" };

function Pressed(props: {
  readonly page: Page;
  readonly subject: string;
  readonly actions: readonly Act[];
}) {
  const { page, actions } = props;
  const subject = { ref: props.subject, digest: undefined, actions };
  const tryPress = useGuardedPress(page, subject);
  return <Acts page={page} subject={subject} tryPress={tryPress} />;
}

/** Its runs: a strip of the newest, and on demand what each came to. */
function Past({
  page,
  routine,
}: {
  readonly page: Pick<Page, "client" | "texts">;
  readonly routine: Routine;
}) {
  const { routines: texts } = page.texts.value;
  const { name, recent, runs } = routine;
  const isOpen = useSignal(false);
  const shown = useSignal<readonly FullRun[]>([]);
  const older = useSignal<number | undefined>(undefined);
  const newest = recent.map(({ due_at: at, state }) => `${at} ${state}`).join();
  const ask = async (before?: number): Promise<RunPage> => {
    const from = before === undefined ? "" : `?before=${before}`;
    return readRuns(await page.client.get(`/api/routines/${encodeURIComponent(name)}/runs${from}`));
  };
  useNewest(
    isOpen.value ? () => ask() : undefined,
    {
      take(found) {
        shown.value = found.runs;
        older.value = found.older;
      },
      failed() {}, // what was shown stays
    },
    [isOpen.value, newest],
  );
  if (runs === 0) return null;
  return (
    <>
      <p class="item-facts">
        <span>{texts.history}</span>
        <span>{texts.strip(recent.length, runs)}</span>
      </p>
      <Strip texts={page.texts.value} runs={recent} />
      <button
        type="button"
        class="tool"
        aria-expanded={isOpen.value}
        onClick={() => (isOpen.value = !isOpen.value)}
      >
        {isOpen.value ? texts.hideRuns : texts.showRuns}
      </button>
      {isOpen.value && (
        <ul class="plain runs">
          {shown.value.map((run) => (
            <RunLine key={run.due_at} run={run} texts={page.texts.value} />
          ))}
        </ul>
      )}
      {isOpen.value && older.value !== undefined && (
        <button
          type="button"
          class="act other"
          onClick={() => {
            const before = older.value;
            void ask(before).then((found) => {
              if (older.value !== before) return; // pressed twice, or read anew
              shown.value = [...shown.value, ...found.runs];
              older.value = found.older;
            });
          }}
        >
          {texts.older}
        </button>
      )}
    </>
  );
}

/** So much of what a run said is shown at first. */
const FIRST_CHARS = 4000;

function RunLine({ run, texts }: { readonly run: FullRun; readonly texts: Texts }) {
  const { routines, language } = texts;
  const { due_at: at, state, delivery, cause, output, error } = run;
  const isLong = useSignal(false);
  const said = [error ?? "", output].filter((part) => part !== "").join("\n");
  const isCut = said.length > FIRST_CHARS && !isLong.value;
  return (
    <li>
      <p class="item-facts">
        <time dateTime={new Date(at).toISOString()}>{new Date(at).toLocaleString(language)}</time>
        <strong>{wordFor(routines.runs, state, routines.runs.other)}</strong>
        <span>{wordFor(routines.deliveries, delivery, routines.deliveries.other)}</span>
        <span>{wordFor(routines.causes, cause, routines.causes.other)}</span>
      </p>
      {said === "" ? (
        <p class="quiet">{routines.nothingSaid}</p>
      ) : (
        <pre class="output wrap">{toVisibleText(isCut ? said.slice(0, FIRST_CHARS) : said)}</pre>
      )}
      {isCut && (
        <button type="button" class="tool" onClick={() => (isLong.value = true)}>
          {texts.line.more(said.length - FIRST_CHARS)}
        </button>
      )}
    </li>
  );
}
