import { json } from "../../client/client.ts";

const { fields, list, maybe, number, text, time } = json;

/** How a finding is, the worst first. */
export const STATES = ["failed", "warning", "ok"] as const;

/** One thing that was looked at. */
export interface Finding {
  readonly name: string;
  readonly state: (typeof STATES)[number];
  readonly found: string;
  /** What to do. */
  readonly mend: string;
}

/** Reads what `GET /api/doctor` gives. */
export function readDoctor(value: unknown): {
  readonly at: number;
  readonly findings: readonly Finding[];
} {
  const it = fields(value);
  const findings = list(it["findings"]).map((each): Finding => {
    const { name, state, found, mend } = fields(each);
    return {
      name: text(name),
      state: STATES.find((known) => known === state) ?? "failed",
      found: text(found),
      mend: text(mend),
    };
  });
  return { at: time(it["at"]) ?? 0, findings };
}

/** How much a line of the log matters. */
export const LEVELS = ["info", "warning", "error"] as const;

/** A line of the daemon's log. */
export interface LogLine {
  readonly at: number | undefined;
  readonly event: string;
  readonly level: (typeof LEVELS)[number];
  readonly text: string;
  /** Characters of it that are not shown. */
  readonly cut: number;
}

/** Reads one line of the log. */
export function readLine(value: unknown): LogLine {
  const { at, event, level, text: said, cut } = fields(value);
  return {
    at: time(at),
    event: text(event),
    level: LEVELS.find((known) => known === level) ?? "info",
    text: text(said),
    cut: number(cut),
  };
}

/** Reads what `GET /api/log` gives. */
export function readLog(value: unknown): {
  readonly lines: readonly LogLine[];
  readonly older: string | undefined;
  readonly end: string;
} {
  const { lines, older, end } = fields(value);
  return { lines: list(lines).map(readLine), older: maybe(older, text), end: text(end) };
}
