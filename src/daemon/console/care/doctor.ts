import type { DoctorFacts, InboxItem } from "../../../channels/http/http-channel.ts";
import type { Environment } from "../../../core/environment.ts";
import { toVisibleText } from "../../../core/visible-text.ts";
import { type DoctorTask, type Finding, runDoctor } from "../../run-doctor.ts";

/** A look by itself, for who reads the inbox, comes at most so often. */
const GLANCE_MS = 5 * 60_000;
/** What the doctor found, and what of it waits for a person. */
export interface Doctor extends DoctorFacts {
  /** What failed, as of the newest look. */
  items(): readonly InboxItem[];
  /** How often that became another. */
  turns(): number;
}

/** Whoever is to be looked after; `run` looks. */
export interface DoctorSources {
  /** Where the configuration is. */
  readonly source: DoctorTask["options"];
  readonly env: Environment;
  readonly now: () => number;
  readonly redact: (text: string) => string;
  /**
   * What only a look finds that somebody asked for, as it asks others and starts servers: each by
   * the name of its finding, with what it is configured as.
   */
  readonly others: () => ReadonlyMap<string, string>;
  readonly run?: typeof runDoctor;
}

/** Nothing was looked at yet. */
export function createDoctor(sources: DoctorSources): Doctor {
  const { source, env, now, redact, others, run = runDoctor } = sources;
  let failed: readonly Finding[] = [];
  /** As they were when they were asked. */
  let asked: ReadonlyMap<string, string> = new Map();
  /** When each was first found. */
  let since: ReadonlyMap<string, number> = new Map();
  let turns = 0;
  let glancedAt = -Infinity;
  let looking: Promise<readonly Finding[]> | undefined;

  async function examine(isLocal: boolean, end: AbortSignal): Promise<readonly Finding[]> {
    const configured = others();
    const found = await run({ options: source, isLocal }, env, end);
    const findings = found.map(({ name, state, found: what, mend }) => {
      return { name: show(name), state, found: show(what), mend: show(mend) };
    });
    note(findings, isLocal);
    if (!isLocal) asked = new Map([...configured].map(([name, set]) => [show(name), set]));
    return findings;
  }

  const show = (text: string) => redact(toVisibleText(text));

  /** What was found of something that is configured in another way by now is no finding. */
  function stillSo(name: string): boolean {
    const set = [...others()].find(([each]) => show(each) === name)?.[1];
    return set !== undefined && asked.get(name) === set;
  }

  function note(findings: readonly Finding[], isLocal: boolean): void {
    const kept = isLocal ? failed.filter(({ name }) => stillSo(name)) : [];
    failed = [...findings.filter(({ state }) => state === "failed"), ...kept];
    const before = since;
    since = new Map(failed.map(keyOf).map((key) => [key, before.get(key) ?? now()]));
    if (since.size !== before.size || [...since.keys()].some((key) => !before.has(key))) turns++;
  }

  return {
    async look(end) {
      glancedAt = now();
      looking ??= examine(false, end).finally(() => (looking = undefined));
      const findings = await looking;
      const at = new Date(now()).toISOString();
      return { at, healthy: findings.every(({ state }) => state !== "failed"), findings };
    },
    glance(end) {
      // The clock may have been set back.
      if (looking || Math.abs(now() - glancedAt) < GLANCE_MS) return;
      glancedAt = now();
      // What cannot be looked at is said to who asks for it.
      void examine(true, end).catch(() => {});
    },
    items: () =>
      failed.map((finding) => ({
        id: `finding:${keyOf(finding)}`,
        kind: "finding",
        title: finding.name,
        at: new Date(since.get(keyOf(finding)) ?? now()).toISOString(),
        shown: finding.mend === "" ? finding.found : `${finding.found}\n→ ${finding.mend}`,
        actions: [],
        ref: finding.name,
      })),
    turns: () => turns,
  };
}

function keyOf({ name, found }: Finding): string {
  return `${name}: ${found}`;
}
