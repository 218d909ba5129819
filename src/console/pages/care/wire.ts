import { json } from "../../client/client.ts";

const { fields, list, text, time } = json;

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
