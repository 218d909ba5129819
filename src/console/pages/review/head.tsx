import { toVisibleText } from "../../../core/visible-text.ts";
import { Link, OUTCOME_ID, PressText, Printed } from "../../acts/acts.tsx";
import type { ChangeSet, CheckReport } from "../../client/client.ts";
import { agoOf } from "../../figures/figures.tsx";
import { isUnderWay, type Page } from "../../page/page.ts";
import { type Texts, wordFor } from "../../texts/texts.ts";

/** What is to be known of a change set before its files are read. */
export function Head({ page, set }: { readonly page: Page; readonly set: ChangeSet }) {
  const texts = page.texts.value;
  const { summary, goal, workspace, asked_at, expires_at } = set;
  return (
    <div class="review-head">
      <p class="eyebrow">
        <span class={`state ${set.outcome?.status ?? set.state}`}>{stateOf(set, texts)}</span>
        <bdi>{toVisibleText(workspace)}</bdi>
        {asked_at !== undefined && <Moment texts={texts.asked} at={asked_at} page={page} />}
        {expires_at !== undefined && set.state === "waiting" && (
          <Moment texts={texts.expires} at={expires_at} page={page} />
        )}
      </p>
      <h1>{toVisibleText(firstLine(goal || summary))}</h1>
      {goal.trim().includes("\n") && (
        <details class="quiet">
          <summary>{texts.whole}</summary>
          <pre class="wrap">{toVisibleText(goal.trim())}</pre>
        </details>
      )}
      <Versions page={page} set={set} />
      {summary !== "" && goal !== "" && goal !== summary && (
        <p class="summary">{toVisibleText(summary)}</p>
      )}
      <Said page={page} set={set} />
      {set.isOutdated && (
        <section class="panel bad" aria-label={texts.notes}>
          <p>{texts.outdated}</p>
        </section>
      )}
      <Checks texts={texts} set={set} />
      {set.notes.length > 0 && (
        <section class="panel" aria-label={texts.notes}>
          <h2>{texts.notes}</h2>
          <ul>
            {set.notes.map((note, at) => (
              <li key={at}>{toVisibleText(note)}</li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

function firstLine(text: string): string {
  return text.trim().split("\n", 1)[0] ?? "";
}

/** What a change set took the place of, and what took its place. */
function Versions({
  page,
  set,
}: {
  readonly page: Pick<Page, "nav" | "texts">;
  readonly set: ChangeSet;
}) {
  const texts = page.texts.value;
  const { previous, next, leftOut } = set;
  if (!previous && next === undefined && leftOut.length === 0) return null;
  const left = leftOut.map(({ path, hunks }) => {
    const name = toVisibleText(path);
    return hunks === undefined ? name : texts.leave.some(hunks.length, name);
  });
  const out = new Set(leftOut.map(({ path }) => path));
  const gone = previous?.gone?.filter((path) => !out.has(path)) ?? [];
  const to = (id: string) => ({ page: "review", id }) as const;
  return (
    <p class="versions">
      {next !== undefined && (
        <Link nav={page.nav} to={to(next)}>
          {texts.since.next}
        </Link>
      )}
      {previous && (
        <Link nav={page.nav} to={to(previous.approval_id)}>
          {previous.isLooked ? texts.since.lookedAt : texts.since.previous}
        </Link>
      )}
      {left.length > 0 && <span class="quiet">{texts.leave.before(left.join(", "))}</span>}
      {gone.length > 0 && (
        <span class="quiet">
          {texts.since.gone(gone.map((path) => toVisibleText(path)).join(", "))}
        </span>
      )}
    </p>
  );
}

/** What the last press came to, as it was told; after a reload what is known of its end. */
function Said({
  page,
  set,
}: {
  readonly page: Pick<Page, "presses" | "texts">;
  readonly set: ChangeSet;
}) {
  const texts = page.texts.value;
  const { approval_id: id, outcome } = set;
  const press = page.presses.states.value.get(id);
  // Until it is over what it prints says more than that it is not.
  if (!outcome || isUnderWay(press)) return <PressText page={page} subject={id} />;
  const told = press?.text.trim() ?? "";
  const title = outcomeOf(outcome.status, texts);
  return (
    <section
      class={`panel ${outcome.ok ? "good" : "bad"}`}
      id={OUTCOME_ID}
      tabIndex={-1}
      aria-label={title}
    >
      <h2>{title}</h2>
      <pre class="wrap">{toVisibleText(told || outcome.text.trim())}</pre>
    </section>
  );
}

function Moment(props: {
  readonly page: Pick<Page, "feed" | "texts">;
  readonly texts: (time: string) => string;
  readonly at: number;
}) {
  const { page, texts, at } = props;
  const { language } = page.texts.value;
  return (
    <time dateTime={new Date(at).toISOString()} title={new Date(at).toLocaleString(language)}>
      {texts(agoOf(page, at))}
    </time>
  );
}

/** What its checks came to, or which ones will run. */
export function Checks({ texts, set }: { readonly texts: Texts; readonly set: ChangeSet }) {
  const { check, checks, side_effects: changed } = set;
  // What was answered is told with what came of it; which checks that meant is not known any more.
  if (set.state !== "waiting" && !check && checks.length === 0) return null;
  const title = !check ? texts.check.not_run : check.ok ? texts.check.passed : texts.check.failed;
  const tone = !check ? "" : check.ok ? "good" : "bad";
  return (
    <section class={`panel checks ${tone}`} aria-label={texts.checks}>
      <h2>{checks.length === 0 && !check ? texts.noChecks : title}</h2>
      {check ? (
        <Stages texts={texts} check={check} />
      ) : (
        checks.length > 0 && (
          <>
            <p>{texts.willRun}</p>
            <ul class="plain">
              {checks.map((command, at) => (
                <li key={at}>
                  <code>{toVisibleText(command)}</code>
                </li>
              ))}
            </ul>
          </>
        )
      )}
      {changed.length > 0 && (
        <p>
          {texts.sideEffects} {changed.map(toVisibleText).join(", ")}
        </p>
      )}
    </section>
  );
}

function Stages({ texts, check }: { readonly texts: Texts; readonly check: CheckReport }) {
  return (
    <ul class="plain stages">
      {check.stages.map(({ command, ok, took_ms, output, looks }, at) => {
        const head = (
          <>
            <span
              class={`sign ${ok ? "good" : "bad"}`}
              role="img"
              aria-label={ok ? texts.check.passed : texts.check.failed}
            >
              {ok ? "✓" : "✗"}
            </span>{" "}
            <code>{toVisibleText(command)}</code>
            {took_ms !== undefined && (
              <span class="quiet"> {texts.seconds((took_ms / 1000).toFixed(1))}</span>
            )}
          </>
        );
        return (
          <li key={at}>
            {output === undefined || output.trim() === "" ? (
              head
            ) : (
              <details open={!ok}>
                <summary>{head}</summary>
                <pre class="output" tabIndex={0} aria-label={texts.printed}>
                  <Printed text={output.trimEnd()} looks={looks} />
                </pre>
              </details>
            )}
          </li>
        );
      })}
    </ul>
  );
}

function stateOf({ state, outcome }: ChangeSet, texts: Texts): string {
  if (state === "approved" && outcome) return outcomeOf(outcome.status, texts);
  return wordFor(texts.states, state, texts.states.other);
}

function outcomeOf(status: string, texts: Texts): string {
  return wordFor(texts.outcomes, status, texts.outcomes.other);
}
