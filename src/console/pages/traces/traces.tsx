import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { toVisibleText } from "../../../core/visible-text.ts";
import { Link } from "../../acts/acts.tsx";
import { messageOf, type Page, useNewest } from "../../page/page.ts";
import type { Texts } from "../../texts/texts.ts";
import {
  choicesOf,
  type Filter,
  type Filters,
  readFilters,
  renderFilters,
  unknownIn,
} from "./filters.ts";
import { useRead } from "./use-read.ts";
import { readTraceList, readWorkspaceNames, type TraceList, type TraceRow } from "./wire.ts";

export { ReportPage } from "./report.tsx";
export { TracePage } from "./trace.tsx";

/** Names that an address has and that are none here. */
const MOST_UNKNOWN = 10;

/** All traces, the newest first, narrowed to what the address says. */
export function TracesPage({ page, query }: { readonly page: Page; readonly query: string }) {
  const { traces: texts, loading } = page.texts.value;
  const filters = readFilters(query);
  const unknown = unknownIn(query).slice(0, MOST_UNKNOWN);
  const narrowed = renderFilters(filters);
  const path = (before?: string) =>
    `/api/traces?${narrowed}${before === undefined ? "" : `&before=${encodeURIComponent(before)}`}`;
  const { value, failure } = useRead(page, path(), texts.title, readTraceList);
  const later = useSignal<readonly TraceList[]>([]);
  const problem = useSignal<string | undefined>(undefined);
  useEffect(() => {
    later.value = [];
    problem.value = undefined;
  }, [narrowed]);
  const pages = value ? [value, ...later.value] : [];
  const rows = pages.flatMap(({ traces }) => traces);
  const older = pages.at(-1)?.older;
  const said = failure ?? problem.value;
  return (
    <div class="inbox workspace traces">
      <h1>{texts.title}</h1>
      <p>
        <Link nav={page.nav} to={{ page: "report" }} class="act other">
          {texts.report}
        </Link>
      </p>
      {unknown.length > 0 && (
        <p class="entry-error" role="status">
          {texts.unknownFilters(
            unknown.map((name) => toVisibleText(name.slice(0, 100))).join(", "),
          )}
        </p>
      )}
      <FilterRow page={page} filters={filters} rows={rows} />
      {said !== undefined && <p class="entry-error">{toVisibleText(said)}</p>}
      {!value && failure === undefined && <p class="waiting">{loading}</p>}
      {value && rows.length === 0 && older === undefined && <p>{texts.none}</p>}
      {rows.length > 0 && <Table page={page} rows={rows} />}
      {value && (
        <p class="quiet" role="status">
          {texts.shown(
            rows.length,
            pages.reduce((sum, { looked }) => sum + looked, 0),
            older !== undefined,
          )}
          {value.skipped > 0 && ` ${texts.skipped(value.skipped)}`}
        </p>
      )}
      {older !== undefined && (
        <button
          type="button"
          class="act other"
          onClick={() =>
            void page.client.get(path(older)).then(
              (found) => (later.value = [...later.value, readTraceList(found)]),
              (error: unknown) => (problem.value = messageOf(error)),
            )
          }
        >
          {texts.older}
        </button>
      )}
    </div>
  );
}

/** It stays while the list is another: who goes through what may be picked by keys keeps the focus. */
function FilterRow(props: {
  readonly page: Pick<Page, "client" | "feed" | "nav" | "texts">;
  readonly filters: Filters;
  readonly rows: readonly TraceRow[];
}) {
  const { page, filters, rows } = props;
  const { traces: texts } = page.texts.value;
  const set = (name: Filter, value: string) => {
    const query = renderFilters({ ...filters, [name]: value });
    page.nav.go({ page: "traces", query });
  };
  const pick = (name: Filter, values: readonly string[], any: string) => (
    <label>
      <span>{texts.filters[name]}</span>
      <select
        value={filters[name] ?? ""}
        onChange={(event) => set(name, event.currentTarget.value)}
      >
        <option value="">{any}</option>
        {values.map((value) => (
          <option key={value} value={value}>
            {name === "error_code" && value === "any" ? texts.failed : toVisibleText(value)}
          </option>
        ))}
      </select>
    </label>
  );
  const workspaces = useSignal<readonly string[]>([]);
  useNewest(
    () => page.client.get("/api/workspaces"),
    {
      take: (value) => (workspaces.value = readWorkspaceNames(value)),
      failed() {}, // those of the rows are there
    },
    [page.feed.news.workspaceChanges.value],
  );
  // A list that is narrowed to one has no other.
  const met = useRef({
    workspace: new Set<string>(),
    model: new Set<string>(),
    code: new Set(["any"]),
  }).current;
  for (const { workspace, model, error_code: code } of rows) {
    met.workspace.add(workspace);
    met.model.add(model);
    if (code !== undefined) met.code.add(code);
  }
  return (
    <search class="filters">
      {pick("workspace", choicesOf(met.workspace, filters.workspace, workspaces.value), texts.any)}
      {pick("mode", ["plan", "apply", "chat"], texts.any)}
      {pick("model", choicesOf(met.model, filters.model), texts.any)}
      {pick("protocol", ["v1", "v2", "v3"], texts.any)}
      {pick("error_code", choicesOf(met.code, filters.error_code), texts.any)}
    </search>
  );
}

function Table({
  page,
  rows,
}: {
  readonly page: Pick<Page, "nav" | "texts">;
  readonly rows: readonly TraceRow[];
}) {
  const { traces: texts, language, seconds } = page.texts.value;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard
    <section class="table-box" tabIndex={0} aria-label={texts.title}>
      <table class="figures-table">
        <thead>
          <tr>
            {texts.heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={`${row.workspace} ${row.trace_id}`}>
              <td>
                <Link
                  nav={page.nav}
                  to={{ page: "trace", id: row.trace_id }}
                  label={`${dateOf(row, page.texts.value)} ${toVisibleText(row.trace_id)}`}
                >
                  {dateOf(row, page.texts.value)}
                </Link>
              </td>
              <td>
                {texts.modes[row.mode === "plan" || row.mode === "apply" ? row.mode : "chat"]}
                {row.isFix && ` (${texts.fix})`}
              </td>
              <td>
                <Outcome texts={page.texts.value} row={row} />
              </td>
              <td>
                <bdi>{toVisibleText(row.workspace)}</bdi>
              </td>
              <td class="name">
                <bdi>{toVisibleText(row.model)}</bdi>
              </td>
              <td>{row.attempts.map(toVisibleText).join(" → ")}</td>
              <td class="number">
                {row.duration_ms !== undefined && seconds((row.duration_ms / 1000).toFixed(1))}
              </td>
              <td class="number">
                {(row.tokens.input + row.tokens.output).toLocaleString(language)}
              </td>
              <td class="number">{row.cost?.toFixed(4) ?? "–"}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** How it ended, with a sign for who tells no colours apart. */
export function Outcome({
  texts: { traces: texts },
  row,
}: {
  readonly texts: Texts;
  readonly row: TraceRow;
}) {
  const { error_code: code, isRepaired, isFallback } = row;
  if (code !== undefined) {
    return (
      <span class="kind outcome-rolled_back">
        ✗ <code>{toVisibleText(code)}</code>
      </span>
    );
  }
  const words = [
    ...(isRepaired ? [texts.bars.repair] : []),
    ...(isFallback ? [texts.bars.fallback] : []),
  ];
  return (
    <span class={`kind ${words.length > 0 ? "state-off" : "state-ready"}`}>
      ✓ {words.length > 0 ? words.join(", ") : texts.good}
    </span>
  );
}

function dateOf({ at }: TraceRow, { language, traces }: Texts): string {
  return at === undefined ? traces.undated : new Date(at).toLocaleString(language);
}
