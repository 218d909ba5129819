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

/** Somebody who may speak, or wants to. */
export interface Person {
  readonly id: number;
  readonly name: string;
  readonly at: number;
}

/** Reads what `GET /api/people` gives. */
export function readPeople(value: unknown): {
  readonly waiting: readonly Person[];
  readonly paired: readonly Person[];
  readonly allowed: readonly number[];
  readonly owner: number | undefined;
} {
  const { waiting, paired, allowed_user_ids: allowed, owner } = fields(value);
  const read = (each: unknown): Person => {
    const { user_id: id, name, asked_at: asked, paired_at: since } = fields(each);
    return { id: number(id), name: text(name), at: time(asked ?? since) ?? 0 };
  };
  return {
    waiting: list(waiting).map(read),
    paired: list(paired).map(read),
    allowed: list(allowed).map(number),
    owner: maybe(owner, number),
  };
}

/** A browser that was let in. */
export interface SignedInBrowser {
  readonly id: string;
  readonly browser: string;
  readonly at: number;
  readonly expiresAt: number;
  /** It is the one that shows this. */
  readonly isHere: boolean;
}

/** Reads what `GET /api/browsers` gives. */
export function readBrowsers(value: unknown): readonly SignedInBrowser[] {
  return list(fields(value)["browsers"]).map((each) => {
    const { id, browser, signed_in_at: at, expires_at: until, here } = fields(each);
    return {
      id: text(id),
      browser: text(browser),
      at: time(at) ?? 0,
      expiresAt: time(until) ?? 0,
      isHere: here === true,
    };
  });
}

/** What something took. */
export interface Amount {
  readonly tokens: number;
  readonly cost: number;
}

/** Who pays, and how much a day may take; 0 is no cap. */
export interface Payer {
  readonly routine: string | undefined;
  readonly today: Amount;
  readonly month: Amount;
  readonly caps: Amount;
}

/** Reads what `GET /api/spending` gives. */
export function readSpending(value: unknown): {
  readonly day: string;
  readonly since: string;
  readonly all: Payer;
  readonly payers: readonly Payer[];
} {
  const it = fields(value);
  return {
    day: text(it["day"]),
    since: text(it["since"]),
    all: readPayer(value),
    payers: list(it["payers"]).map(readPayer),
  };
}

function readPayer(value: unknown): Payer {
  const { routine, today, month, caps } = fields(value);
  return {
    routine: maybe(routine, text),
    today: readAmount(today),
    month: readAmount(month),
    caps: readAmount(caps),
  };
}

function readAmount(value: unknown): Amount {
  const { tokens, cost } = fields(value);
  return { tokens: number(tokens), cost: number(cost) };
}
