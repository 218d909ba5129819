import type { AuthorRequest } from "../../src/planner/author.ts";
import type { OnlineDeps } from "../../src/planner/online/plan-online.ts";
import type { Operations } from "../../src/planner/operations.ts";
import type { Researcher, ResearchResult } from "../../src/research/research.ts";
import { createOnlineChains } from "../../src/store/online/online-chains.ts";
import { createResearchStore } from "../../src/store/online/researches.ts";
import { openStore } from "../../src/store/open/open-database.ts";
import { createSettings } from "../../src/store/settings/settings.ts";
import type { Trace } from "../../src/trace/trace.ts";
import {
  bindOperations,
  createScene,
  type Line,
  type Scene,
  type SceneOptions,
} from "./planner-scene.ts";

/** A planner scene with research, whose queries are kept. */
export interface OnlineScene extends Scene {
  readonly online: OnlineDeps;
  readonly queries: readonly string[];
  /** The same operations after a restart, over the same database. */
  reopen(): Operations;
}

/** What the scripted research finds. */
export const FOUND: ResearchResult = {
  ok: true,
  research: {
    answerMd: "The flag is --fast.",
    confidence: 0.8,
    sources: [{ url: "https://docs.example/fast?token=1#a", title: "Fast" }],
    usage: { inputTokens: 1, outputTokens: 1 },
  },
};

/** Builds a scene; `research` answers the queries, auto-use is off unless told otherwise. */
export function openOnline(
  lines: readonly Line[],
  options: SceneOptions & {
    readonly autoUse?: boolean;
    readonly maxChars?: number;
    readonly research?: Researcher;
    readonly storePath?: string;
    readonly files?: Readonly<Record<string, string>>;
  } = {},
): OnlineScene {
  const { research = async () => FOUND, autoUse = false, maxChars = 8000 } = options;
  const { files = { "a.txt": "one\ntwo\n" }, storePath = ":memory:" } = options;
  const scene = createScene(files, lines, options);
  const queries: string[] = [];
  const open = (store = openStore(storePath)): OnlineDeps => ({
    research: (query, signal) => {
      queries.push(query);
      return research(query, signal);
    },
    limits: { maxChars, maxSources: 10 },
    autoUse,
    chains: createOnlineChains(store),
    researches: createResearchStore(store),
    settings: createSettings(store),
  });
  const bind = (online: OnlineDeps) =>
    bindOperations({ ...scene.deps, offers: { research: true, memory: false }, online });
  const online = open();
  return { ...scene, online, queries, operations: bind(online), reopen: () => bind(open()) };
}

/** Research that never ends by itself; `begun` resolves when it is asked. */
export function hangingResearch(): {
  readonly research: Researcher;
  readonly begun: Promise<void>;
} {
  const begun = Promise.withResolvers<void>();
  const research: Researcher = (_, signal) => {
    begun.resolve();
    const { promise, resolve } = Promise.withResolvers<ResearchResult>();
    const cancelled = { ok: false, code: "ERR_CANCELLED", message: "It was cancelled" } as const;
    signal.addEventListener("abort", () => resolve(cancelled));
    return promise;
  };
  return { research, begun: begun.promise };
}

/** Plans once findings are there, and fails without them: with prose that is no JSON. */
export function planOnceFound({ messages }: AuthorRequest): string | object {
  const said = messages.map(({ content }) => content).join("\n");
  return said.includes("ONLINE_RESEARCH_SUMMARY:")
    ? { actions: [], summary: "1. Use --fast" }
    : "I cannot answer";
}

/** The `online_…` fields of a trace. */
export function onlineFields(trace: Trace | undefined): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(trace ?? {}).filter(([name]) => name.startsWith("online_")),
  );
}
