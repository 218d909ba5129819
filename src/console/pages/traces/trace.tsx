import { useSignal } from "@preact/signals";
import { toVisibleText } from "../../../core/visible-text.ts";
import { Link } from "../../acts/acts.tsx";
import type { Page } from "../../page/page.ts";
import { type Texts, wordFor } from "../../texts/texts.ts";
import { LongText } from "./long-text.tsx";
import { useRead } from "./use-read.ts";
import { type Bar, toBars } from "./waterfall.ts";
import { type OneTrace, readOneTrace } from "./wire.ts";

/** One trace as it went, from the context to what became of it. */
export function TracePage({ page, id }: { readonly page: Page; readonly id: string }) {
  const { traces: texts, loading } = page.texts.value;
  const { value: trace, failure } = useRead(page, `/api/traces/${id}`, texts.title, readOneTrace);
  if (!trace) {
    return <p class="waiting">{failure === undefined ? loading : toVisibleText(failure)}</p>;
  }
  if (trace.problem !== undefined) {
    // What others wrote is not drawn as what it may not be.
    return (
      <div class="inbox workspace traces">
        <h1>{toVisibleText(id)}</h1>
        <p>{texts.noTrace(toVisibleText(trace.problem))}</p>
        <Whole texts={page.texts.value} trace={trace} />
      </div>
    );
  }
  return (
    <div class="inbox workspace traces">
      <p>
        <Link nav={page.nav} to={{ page: "traces" }}>
          {texts.title}
        </Link>
      </p>
      <h1>{toVisibleText(trace.goal?.slice(0, 300) ?? trace.trace_id)}</h1>
      <Facts texts={page.texts.value} trace={trace} />
      {trace.error_code !== undefined && (
        <section aria-label={texts.why}>
          <h2>
            {texts.why}: <code>{toVisibleText(trace.error_code)}</code>
          </h2>
          <LongText texts={page.texts.value} text={trace.error ?? ""} />
        </section>
      )}
      <Waterfall texts={page.texts.value} trace={trace} />
      <Context texts={page.texts.value} trace={trace} />
      <Related page={page} trace={trace} />
      <Whole texts={page.texts.value} trace={trace} />
    </div>
  );
}

function Facts({
  texts: { traces: texts, language, seconds },
  trace,
}: {
  readonly texts: Texts;
  readonly trace: OneTrace;
}) {
  const { input, output } = trace.tokens;
  return (
    <p class="item-facts">
      <span>
        {texts.modes[trace.mode === "plan" || trace.mode === "apply" ? trace.mode : "chat"]}
      </span>
      {trace.at === undefined ? (
        <span>{texts.undated}</span>
      ) : (
        <time dateTime={new Date(trace.at).toISOString()}>
          {new Date(trace.at).toLocaleString(language)}
        </time>
      )}
      <bdi>{toVisibleText(trace.workspace)}</bdi>
      <bdi>{toVisibleText(`${trace.provider} ${trace.model}`.slice(0, 200))}</bdi>
      {trace.duration_ms !== undefined && (
        <span>{seconds((trace.duration_ms / 1000).toFixed(1))}</span>
      )}
      <span>{texts.tokens(input.toLocaleString(language), output.toLocaleString(language))}</span>
      {trace.cost !== undefined && <span>{texts.cost(trace.cost.toFixed(4))}</span>}
      <code>{toVisibleText(trace.trace_id)}</code>
    </p>
  );
}

function Waterfall({ texts: all, trace }: { readonly texts: Texts; readonly trace: OneTrace }) {
  const { traces: texts } = all;
  const bars = toBars(trace.calls, trace.duration_ms ?? 0, trace.checks);
  const total = bars.at(-1)?.to ?? 0;
  return (
    <section aria-label={texts.course}>
      <h2>{texts.course}</h2>
      {trace.calls.length === 0 && <p class="quiet">{texts.noTimes}</p>}
      <ol class="waterfall plain">
        {bars.map((bar, at) => (
          <li key={at}>
            <BarWords texts={all} bar={bar} />
            <svg
              class={`bar-${bar.kind}${bar.isOk === false || bar.call?.error_code !== undefined ? " bar-bad" : ""}`}
              viewBox="0 0 1000 10"
              preserveAspectRatio="none"
              aria-hidden="true"
            >
              <rect class="track" width="1000" height="10" />
              <rect
                x={total === 0 ? 0 : (bar.from / total) * 1000}
                width={total === 0 ? 1 : Math.max(2, ((bar.to - bar.from) / total) * 1000)}
                height="10"
              />
            </svg>
          </li>
        ))}
      </ol>
    </section>
  );
}

function BarWords({
  texts: { traces: texts, check, language, seconds },
  bar,
}: {
  readonly texts: Texts;
  readonly bar: Bar;
}) {
  const { call } = bar;
  const count = (value: number) => value.toLocaleString(language);
  return (
    <p class="item-facts">
      <strong>
        {texts.bars[bar.kind]}
        {call && ` ${toVisibleText(call.version)}`}
      </strong>
      {bar.command !== undefined && (
        <span>
          {bar.isOk ? `✓ ${check.passed}` : `✗ ${check.failed}`}{" "}
          <code>{toVisibleText(bar.command.slice(0, 300))}</code>
        </span>
      )}
      <span>{seconds(((bar.to - bar.from) / 1000).toFixed(2))}</span>
      {call && <span>{texts.chars(count(call.input_chars), count(call.output_chars))}</span>}
      {call && <span>{texts.tokens(count(call.tokens.input), count(call.tokens.output))}</span>}
      {call?.cost !== undefined && <span>{texts.cost(call.cost.toFixed(4))}</span>}
      {call?.error_code !== undefined && (
        <span>
          ✗ <code>{toVisibleText(call.error_code)}</code>
        </span>
      )}
    </p>
  );
}

/** Paths that are shown at first. */
const FIRST_FILES = 50;

function Context({
  texts: { traces: texts, language },
  trace,
}: {
  readonly texts: Texts;
  readonly trace: OneTrace;
}) {
  const { stats, files, tools } = trace;
  const most = useSignal(FIRST_FILES);
  const stat = (name: string) => (Object.hasOwn(stats, name) ? (stats[name] ?? 0) : 0);
  const count = (name: string) => stat(name).toLocaleString(language);
  const dropped = stat("context_files_dropped_count");
  const cut = stat("context_truncated_files_count");
  const left = files.length - most.value;
  if (trace.mode === "chat") {
    return tools.length === 0 ? null : (
      <section aria-label={texts.tools}>
        <h2>{texts.tools}</h2>
        <p class="item-facts">
          {tools.map(({ name, ok }, at) => (
            <code key={at}>
              {ok ? "✓" : "✗"} {toVisibleText(name.slice(0, 100))}
            </code>
          ))}
        </p>
      </section>
    );
  }
  return (
    <section aria-label={texts.bars.context}>
      <h2>{texts.bars.context}</h2>
      <p class="item-facts">
        <span>{texts.contextFiles(count("context_files_count"))}</span>
        <span>{texts.contextChars(count("context_total_chars"))}</span>
        <span>{texts.cutFiles(cut)}</span>
        <span>{texts.droppedFiles(dropped)}</span>
      </p>
      <ul class="plain">
        {files
          .filter((_, at) => at < most.value)
          .map(({ path, whole }) => (
            <li key={path}>
              <code>{toVisibleText(path.slice(0, 1000))}</code>{" "}
              <span class="quiet">{whole ? texts.wholeFile : texts.partOfFile}</span>
            </li>
          ))}
      </ul>
      {left > 0 && (
        <button type="button" class="tool" onClick={() => (most.value += 500)}>
          {texts.moreFiles(left)}
        </button>
      )}
    </section>
  );
}

/** What came before and after it. */
function Related({
  page,
  trace,
}: {
  readonly page: Pick<Page, "nav" | "texts">;
  readonly trace: OneTrace;
}) {
  const { traces: texts, outcomes, past, language } = page.texts.value;
  const { change, workspace } = trace;
  const others = [
    [texts.planTrace, trace.plan_trace_id],
    [texts.actionsTrace, trace.actions_trace_id],
  ] as const;
  const shown = others.filter(([, id]) => id !== undefined && id !== trace.trace_id);
  if (!change && shown.length === 0) return null;
  return (
    <section aria-label={texts.around}>
      <h2>{texts.around}</h2>
      <ul class="plain">
        {shown.map(([words, id]) => (
          <li key={words}>
            <Link nav={page.nav} to={{ page: "trace", id: id ?? "" }}>
              {words}
            </Link>
          </li>
        ))}
        {change && (
          <li>
            <Link nav={page.nav} to={{ page: "workspace", name: workspace, part: change.tx_id }}>
              {wordFor(outcomes, change.status, outcomes.other)}{" "}
              {new Date(change.at).toLocaleString(language)}
            </Link>{" "}
            <span class="quiet">
              {wordFor(past.channels, change.channel, past.channels.other)}
              {change.session !== undefined && ` · ${toVisibleText(change.session)}`}
            </span>
          </li>
        )}
      </ul>
    </section>
  );
}

function Whole({ texts: all, trace }: { readonly texts: Texts; readonly trace: OneTrace }) {
  const { traces: texts } = all;
  const isOpen = useSignal(false);
  return (
    <section aria-label={texts.whole}>
      <details onToggle={(event) => (isOpen.value = event.currentTarget.open)}>
        <summary>{texts.whole}</summary>
        {isOpen.value && <LongText texts={all} text={JSON.stringify(trace.whole, null, 2)} />}
      </details>
    </section>
  );
}
