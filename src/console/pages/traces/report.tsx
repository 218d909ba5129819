import { toVisibleText } from "../../../core/visible-text.ts";
import { Link } from "../../acts/acts.tsx";
import type { Page } from "../../page/page.ts";
import type { Texts } from "../../texts/texts.ts";
import { toSeries } from "./by-name.ts";
import { Chart, Figures } from "./chart.tsx";
import { type Report, type ReportDay, readReport } from "./report-wire.ts";
import { useRead } from "./use-read.ts";
import { fillDays } from "./waterfall.ts";

const PERIODS = ["7", "30", "90"];
/** Of the graduation's rules, as a part of all applies. */
const MOST_FAULTS = 0.01;

/** How applies went, what it cost, and how long it took, by day. */
export function ReportPage({ page, query }: { readonly page: Page; readonly query: string }) {
  const { traces: texts, loading } = page.texts.value;
  const asked = new URLSearchParams(query).get("days") ?? "";
  const days = PERIODS.includes(asked) ? asked : "30";
  const { value: report, failure } = useRead(
    page,
    `/api/report?days=${days}`,
    texts.report,
    readReport,
  );
  return (
    <div class="inbox workspace traces">
      <h1>{texts.report}</h1>
      <div class="filters">
        <label>
          <span>{texts.period}</span>
          <select
            value={days}
            onChange={(event) =>
              page.nav.go({ page: "report", query: `days=${event.currentTarget.value}` })
            }
          >
            {PERIODS.map((each) => (
              <option key={each} value={each}>
                {texts.days(Number(each))}
              </option>
            ))}
          </select>
        </label>
        <Link nav={page.nav} to={{ page: "traces" }} class="act other">
          {texts.title}
        </Link>
      </div>
      {failure !== undefined && <p class="entry-error">{toVisibleText(failure)}</p>}
      {!report && failure === undefined && <p class="waiting">{loading}</p>}
      {report && <Body page={page} report={report} />}
    </div>
  );
}

function Body({ page, report }: { readonly page: Page; readonly report: Report }) {
  const { traces: texts, language } = page.texts.value;
  const { all, applies, failed, repairRate, fallbackRate, keptDays, count } = report;
  const { input, output } = all.tokens;
  const figure = (value: number) => value.toLocaleString(language);
  return (
    <>
      <p class="item-facts">
        <strong>{texts.applies(applies)}</strong>
        <span>{texts.failedCount(failed)}</span>
        <span>{texts.repairs(toPercent(repairRate))}</span>
        <span>{texts.fallbacks(toPercent(fallbackRate))}</span>
        <span>{texts.tokens(figure(input), figure(output))}</span>
        {all.cost !== undefined && <span>{texts.cost(all.cost.toFixed(4))}</span>}
      </p>
      <p class="quiet">
        {texts.utc}
        {keptDays > 0 && keptDays < count && ` ${texts.kept(keptDays)}`}
        {report.skipped > 0 && ` ${texts.skipped(report.skipped)}`}
        {report.unlisted > 0 && ` ${texts.unlisted(report.unlisted)}`}
      </p>
      <Gate texts={page.texts.value} report={report} />
      <Charts page={page} report={report} />
      <section aria-label={texts.models}>
        <h2>{texts.models}</h2>
        <Figures
          page={page}
          title={texts.models}
          name={`all-models-${report.since}`}
          head={["provider", "model", "traces", "input", "output", "cost"]}
          rows={report.models.map(({ provider, model, traces, tokens, cost }) => {
            return [provider, model, traces, tokens.input, tokens.output, cost ?? null];
          })}
          isOpen
        />
      </section>
    </>
  );
}

function toPercent(rate: number): string {
  return `${(rate * 100).toFixed(1)} %`;
}

function Gate({ texts: all, report }: { readonly texts: Texts; readonly report: Report }) {
  const { traces: texts } = all;
  const { isReady, ofApplies, rules } = report;
  return (
    <section aria-label={texts.gate}>
      <h2>{texts.gate}</h2>
      <p>
        <span class={`kind state-${isReady ? "ready" : "off"}`}>
          {isReady ? `✓ ${texts.isReady}` : `! ${texts.isNotReady}`}
        </span>{" "}
        <span class="quiet">{texts.ofNewest(ofApplies)}</span>
      </p>
      <ul class="plain">
        {rules.map((each) => (
          <li key={each.rule}>
            {each.ok ? "✓" : "✗"} {ruleOf(each, all)}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** In the person's words, where this page knows the rule. */
function ruleOf({ id, counts, rule, found }: Report["rules"][number], texts: Texts): string {
  const { rules } = texts.traces;
  const [first = 0, second = 0] = counts;
  const part = second === 0 ? "0" : ((first / second) * 100).toFixed(1);
  switch (id) {
    case "applies":
    case "updates":
      return rules[id](first);
    case "repairs":
      return rules.repairs(first, second);
    case "fallbacks":
    case "patches":
      return rules[id](first, second, part);
    default:
      return toVisibleText(`${rule}: ${found}`);
  }
}

function Charts({ page, report }: { readonly page: Page; readonly report: Report }) {
  const { traces: texts } = page.texts.value;
  const { since, count } = report;
  const filled = fillDays(since, count, report.days);
  const days = filled.map(({ day }) => day);
  const each = <Value,>(read: (day: ReportDay) => Value) => {
    return filled.map(({ of }) => (of ? read(of) : null));
  };
  const share = (read: (day: ReportDay) => number) =>
    each((day) => (day.applies === 0 ? null : read(day) / day.applies));
  const common = { page, days };
  const hasCost = report.all.cost !== undefined;
  const modes = (["plan", "apply", "chat"] as const).filter((mode) => report.all.latency[mode]);
  return (
    <>
      <Chart
        {...common}
        title={texts.endings}
        name={`applies-${since}`}
        kind="bars"
        series={texts.endingNames.map((name, at) => ({
          name,
          values: each((day) => day.endings[at] ?? 0),
        }))}
      />
      <Chart
        {...common}
        title={texts.repairsAndFallbacks}
        name={`repairs-${since}`}
        kind="lines"
        gate={{ at: MOST_FAULTS, words: texts.gateLine }}
        render={toPercent}
        series={[
          { name: texts.bars.repair, values: share((day) => day.repairs) },
          { name: texts.bars.fallback, values: share((day) => day.fallbacks) },
        ]}
      />
      <Chart
        {...common}
        title={texts.tokensPerDay}
        name={`tokens-${since}`}
        kind="bars"
        series={[
          { name: texts.input, values: each((day) => day.tokens.input) },
          { name: texts.output, values: each((day) => day.tokens.output) },
        ]}
      />
      {hasCost && (
        <Chart
          {...common}
          title={texts.costPerDay}
          name={`cost-${since}`}
          kind="bars"
          render={toPrice}
          series={[{ name: texts.costName, values: each((day) => day.cost ?? null) }]}
        />
      )}
      {spendersOf(report, texts).map(({ name, amounts, ...chart }) => (
        <Chart
          key={name}
          {...common}
          {...chart}
          name={`${name}-${since}`}
          kind="bars"
          series={toSeries(amounts, days, texts.others)}
        />
      ))}
      {modes.map((mode) => (
        <Chart
          key={mode}
          {...common}
          title={texts.latency(texts.modes[mode])}
          name={`latency-${mode}-${since}`}
          kind="lines"
          render={(value) => page.texts.value.seconds((value / 1000).toFixed(1))}
          series={(["p50", "p90", "p99"] as const).map((name) => ({
            name,
            values: each((day) => day.latency[mode]?.[name] ?? null),
          }))}
        />
      ))}
    </>
  );
}

function toPrice(value: number): string {
  return value.toFixed(4);
}

/** What routines and models took by day: tokens, and cost where anything has a price. */
function spendersOf({ spent, days }: Report, texts: Texts["traces"]) {
  const models = days.flatMap(({ day, models: of }) =>
    of.map(({ provider, model, tokens: { input, output }, cost }) => {
      const name = toVisibleText(`${provider} ${model}`.trim()) || undefined;
      return { day, name, tokens: input + output, cost };
    }),
  );
  const routines = spent.map(({ day, routine, tokens, cost }) => {
    return { day, name: routine && toVisibleText(routine), tokens, cost };
  });
  type Spent = (typeof models | typeof routines)[number];
  const toAmounts = (rows: readonly Spent[], what: "tokens" | "cost") =>
    rows.map(({ day, name, ...of }) => ({ day, name, amount: of[what] ?? 0 }));
  const tokens = [
    { name: "routines", title: texts.byRoutine, amounts: toAmounts(routines, "tokens") },
    { name: "models", title: texts.byModel, amounts: toAmounts(models, "tokens") },
  ];
  const costs = [
    { name: "routines-cost", title: texts.costByRoutine, amounts: toAmounts(routines, "cost") },
    { name: "models-cost", title: texts.costByModel, amounts: toAmounts(models, "cost") },
  ];
  const priced = costs.filter(({ amounts }) => amounts.some(({ amount }) => amount > 0));
  return [...tokens, ...priced.map((each) => Object.assign(each, { render: toPrice }))];
}
