import { toVisibleText } from "../../../core/visible-text.ts";
import { messageOf, type Page } from "../../page/page.ts";
import { type Cell, toCsv, toJson } from "./csv.ts";

/** One thing that a chart shows of each day. */
interface Series {
  readonly name: string;
  readonly values: readonly (number | null)[];
}

/** Of the drawing, which is as wide as its place: on a phone it is drawn smaller, for letters to stay. */
const [MOST_WIDTH, LEAST_WIDTH, MARGINS] = [720, 280, 64];
const HEIGHT = 160;
const LEFT = 46;
const TOP = 8;
const BASE = 24;

/** Figures by day as bars on each other or as lines, with all of them as a table and as files. */
export function Chart(props: {
  readonly page: Page;
  readonly title: string;
  /** Of the files. */
  readonly name: string;
  readonly days: readonly string[];
  readonly series: readonly Series[];
  readonly kind: "bars" | "lines";
  /** What a line across says, and where it is. */
  readonly gate?: { readonly at: number; readonly words: string };
  readonly render?: (value: number) => string;
}) {
  const { page, title, days, series, kind, gate } = props;
  const render = props.render ?? ((value) => value.toLocaleString(page.texts.value.language));
  const sums = days.map((_, at) => {
    const values = series.map((each) => each.values[at] ?? 0);
    return kind === "bars" ? values.reduce((a, b) => a + b, 0) : Math.max(0, ...values);
  });
  const width = Math.max(LEAST_WIDTH, Math.min(MOST_WIDTH, window.innerWidth - MARGINS));
  const top = Math.max(gate ? gate.at * 2 : 0, ...sums) || 1;
  const step = (width - LEFT) / Math.max(1, days.length);
  const y = (value: number) => TOP + (HEIGHT - TOP - BASE) * (1 - value / top);
  return (
    <figure class="chart panel">
      <figcaption>
        <h3>{title}</h3>
        <ul class="legend plain">
          {series.map(({ name }, at) => (
            <li key={name}>
              <svg class={`swatch series-${at % 6}`} viewBox="0 0 10 10" aria-hidden="true">
                <rect width="10" height="10" />
              </svg>{" "}
              <bdi>{toVisibleText(name)}</bdi>
            </li>
          ))}
          {gate && <li>┄ {gate.words}</li>}
        </ul>
      </figcaption>
      <svg class="plot" viewBox={`0 0 ${width} ${HEIGHT}`} aria-hidden="true">
        {[0, top / 2, top].map((value) => (
          <g key={value} class="grid">
            <line x1={LEFT} x2={width} y1={y(value)} y2={y(value)} />
            <text x={LEFT - 6} y={y(value) + 4} text-anchor="end">
              {render(value)}
            </text>
          </g>
        ))}
        {kind === "bars"
          ? days.map((day, at) => {
              let sum = 0;
              return (
                <g key={day}>
                  {series.map(({ name, values }, of) => {
                    const value = values[at] ?? 0;
                    sum += value;
                    if (value === 0) return null;
                    return (
                      <rect
                        key={name}
                        class={`series-${of % 6}`}
                        x={LEFT + at * step + step * 0.12}
                        width={Math.max(1, step * 0.76)}
                        y={y(sum)}
                        height={Math.max(1, y(sum - value) - y(sum))}
                      >
                        <title>{`${day} ${toVisibleText(name)}: ${render(value)}`}</title>
                      </rect>
                    );
                  })}
                </g>
              );
            })
          : series.map(({ name, values }, of) => (
              <g key={name} class={`line series-${of % 6}`}>
                <path d={toPath(values, (at) => LEFT + (at + 0.5) * step, y)} />
                {values.map((value, at) =>
                  value === null ? null : (
                    <circle key={at} cx={LEFT + (at + 0.5) * step} cy={y(value)} r="2.5">
                      <title>{`${days[at]} ${toVisibleText(name)}: ${render(value)}`}</title>
                    </circle>
                  ),
                )}
              </g>
            ))}
        {gate && <line class="gate" x1={LEFT} x2={width} y1={y(gate.at)} y2={y(gate.at)} />}
        <text x={LEFT} y={HEIGHT - 6}>
          {days[0]}
        </text>
        <text x={width} y={HEIGHT - 6} text-anchor="end">
          {days.at(-1)}
        </text>
      </svg>
      <Figures
        page={page}
        title={title}
        name={props.name}
        head={["day", ...series.map(({ name }) => name)]}
        rows={days.map((day, at) => {
          const cells: readonly Cell[] = series.map(({ values }) => values[at] ?? null);
          return first(day).concat(cells);
        })}
        isOpen={false}
      />
    </figure>
  );
}

function first(day: string): readonly Cell[] {
  return [day];
}

function toPath(
  values: readonly (number | null)[],
  x: (at: number) => number,
  y: (value: number) => number,
): string {
  let isOn = false;
  return values
    .map((value, at) => {
      if (value === null) {
        isOn = false;
        return "";
      }
      const how = isOn ? "L" : "M";
      isOn = true;
      return `${how}${x(at).toFixed(1)} ${y(value).toFixed(1)}`;
    })
    .join("");
}

/** A table, which can be taken along. */
export function Figures(props: {
  readonly page: Page;
  readonly title: string;
  readonly name: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  readonly isOpen: boolean;
}) {
  const { page, title, name, head, rows, isOpen } = props;
  const { traces: texts, language } = page.texts.value;
  return (
    <details open={isOpen}>
      <summary>{texts.figures}</summary>
      <p class="row-of-acts">
        <button
          type="button"
          class="tool"
          aria-label={texts.csvOf(title)}
          onClick={() => void give(page, `papayu-${name}.csv`, "text/csv", toCsv(head, rows))}
        >
          CSV
        </button>
        <button
          type="button"
          class="tool"
          aria-label={texts.jsonOf(title)}
          onClick={() =>
            void give(page, `papayu-${name}.json`, "application/json", toJson(head, rows))
          }
        >
          JSON
        </button>
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard */}
      <section class="table-box" tabIndex={0} aria-label={`${texts.figures}: ${title}`}>
        <table class="figures-table">
          <caption class="only-heard">{title}</caption>
          <thead>
            <tr>
              {head.map((each) => (
                <th key={each} scope="col">
                  {toVisibleText(each)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, at) => (
              <tr key={at}>
                {row.map((cell, of) => (
                  <td key={head[of]}>{renderCell(cell, language)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  );
}

function renderCell(cell: Cell, language: string): string {
  if (cell === null) return "–";
  return typeof cell === "number" ? cell.toLocaleString(language) : toVisibleText(cell);
}

/** In Telegram, where a frame keeps no files, the bot sends it. */
async function give(
  page: Pick<Page, "client" | "session" | "texts" | "view">,
  name: string,
  type: string,
  text: string,
): Promise<void> {
  if (!page.session.isApp) return save(name, type, text);
  try {
    await page.client.post("/api/app/file", { name, text });
    page.view.said.value = page.texts.value.sentFile;
  } catch (error) {
    page.view.said.value = messageOf(error);
  }
}

/** Has the browser keep a text as a file. */
function save(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
