import { toVisibleText } from "../../core/visible-text.ts";
import { groupOf } from "./code-groups.ts";
import type { Graduation } from "./graduation.ts";
import type { Report } from "./report.ts";
import type { Metrics } from "./tally.ts";

/** Files and paths that one text names. */
const MOST_NAMED = 10;

/** A report for people: the numbers next to those before, what went wrong, and the verdict. */
export function renderReport(report: Report, workspace: string): string {
  const sections = [
    [renderTitle(report, workspace)],
    report.apply_count === 0 ? [] : renderNumbers(report, report.previous),
    renderCodes("Fallbacks by reason", report.fallback_by_reason),
    renderCodes("Failures by code", report.error_by_code),
    renderPaths(report),
    renderGraduation(report.graduation),
    renderSkipped(report.skipped, report.skipped_count),
  ];
  const filled = sections.filter((lines) => lines.length > 0);
  return filled.map((lines) => lines.join("\n")).join("\n\n");
}

/** Files that were no traces, each with its reason. */
export function renderSkipped(
  skipped: readonly { readonly file: string; readonly reason: string }[],
  count: number,
): readonly string[] {
  const named = skipped.slice(0, MOST_NAMED);
  const lines = named.map(({ file, reason }) => `skipped ${toLine(file)}: ${toLine(reason)}`);
  return count > named.length ? [...lines, `skipped ${count - named.length} more`] : lines;
}

/** Input and output tokens as one number for people. */
export function tokensOf(tokens: Metrics["tokens"] = { input: 0, output: 0 }): string {
  return (tokens.input + tokens.output).toLocaleString("en");
}

/** What files say for themselves must not look like a line of ours. */
function toLine(text: string): string {
  return toVisibleText(text).replaceAll(/\s+/g, " ");
}

function renderTitle({ apply_count: count, from, to }: Report, workspace: string): string {
  if (from === null || to === null) return `No applies in ${workspace}`;
  const applies = count === 1 ? "1 apply" : `${count} applies`;
  return `${applies} in ${workspace}, ${toDay(from)} to ${toDay(to)}`;
}

function toDay(instant: string): string {
  return new Date(instant).toISOString().slice(0, 10); // in UTC, as --from and --to are
}

function renderNumbers(now: Metrics, before: Metrics): readonly string[] {
  const rows = NUMBERS.map(([label, cell]) => [label, cell(now), cell(before)] as const);
  const table = [["", "now", "before"] as const, ...rows];
  return table.map((cells) => {
    const [label, ...numbers] = cells;
    return `${label.padEnd(30)}${numbers.map((cell) => cell.padStart(14)).join("")}`;
  });
}

const NUMBERS: readonly (readonly [label: string, cell: (metrics: Metrics) => string])[] = [
  ["applies", (metrics) => toCount(metrics.apply_count)],
  ["  failed", (metrics) => toCount(metrics.failed_count)],
  ["  with a fallback", (metrics) => toPercent(metrics.fallback_rate)],
  [
    "    other than non-UTF-8 files",
    (metrics) => toPercent(metrics.fallback_rate_excluding_non_utf8),
  ],
  ["  with a repair", (metrics) => toPercent(metrics.repair_attempt_rate)],
  ["    that succeeded", (metrics) => toPercent(metrics.repair_success_rate)],
  ["    that ended in a fallback", (metrics) => toPercent(metrics.repair_to_fallback_rate)],
  ["  with a sha256 given", (metrics) => toPercent(metrics.sha_injection_rate)],
  ["input tokens", (metrics) => toCount(metrics.tokens.input)],
  ["output tokens", (metrics) => toCount(metrics.tokens.output)],
  ["cost", ({ cost }) => (cost === null ? "no prices" : cost.toFixed(4))],
];

function toCount(count: number): string {
  return count.toLocaleString("en");
}

function toPercent(rate: number): string {
  return `${(rate * 100).toFixed(1)} %`;
}

function renderCodes(title: string, counts: Readonly<Record<string, number>>): readonly string[] {
  const rows = Object.entries(counts).map(([code, count]) => {
    return `  ${toCount(count).padStart(5)}  ${code} (${groupOf(code)})`;
  });
  return rows.length === 0 ? [] : [title, ...rows];
}

function renderPaths({ top_repair_injected_paths: paths }: Report): readonly string[] {
  const rows = paths.map(({ path, count }) => `  ${toCount(count).padStart(5)}  ${toLine(path)}`);
  return rows.length === 0 ? [] : ["Files whose sha256 a repair had to give", ...rows];
}

function renderGraduation({
  apply_count: count,
  rules,
  ready,
  verdict,
}: Graduation): readonly string[] {
  const rows = rules.map(({ rule, ok, found }) => `  ${ok ? "✓" : "✗"} ${rule}: ${found}`);
  const conclusion = ready ? verdict : "v2-only is not safe yet";
  return [`Without the fallback to v1? The last ${count} applies say`, ...rows, conclusion];
}
