import { realpathSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { AppError } from "../../src/core/app-error.ts";
import { systemClock } from "../../src/core/clock.ts";
import type { LogValue } from "../../src/core/log.ts";
import { sha256 } from "../../src/core/sha256.ts";
import type { AnswerDeps } from "../../src/planner/answer.ts";
import type { Author, AuthorAnswer, AuthorRequest } from "../../src/planner/author.ts";
import { NO_SOURCES } from "../../src/planner/context/context-sources.ts";
import type { DiscussDeps } from "../../src/planner/discuss.ts";
import type { FolderDeps } from "../../src/planner/open-folder.ts";
import {
  createOperations,
  type Operations,
  type OperationsDeps,
  type TransactionDeps,
} from "../../src/planner/operations.ts";
import type { PlannerDeps, PlanRecords } from "../../src/planner/plan.ts";
import type { ChangeDeps } from "../../src/planner/prepare/prepare.ts";
import { createTracePlanner } from "../../src/planner/trace-call.ts";
import type { Way } from "../../src/planner/tries/tries.ts";
import type { ProtocolVersion } from "../../src/protocol/version.ts";
import type { Autonomy } from "../../src/security/policy.ts";
import { createPlanStore, type PlanStore } from "../../src/store/plans/plans.ts";
import { createVerificationStore } from "../../src/store/verifications.ts";
import type { Sandbox } from "../../src/system/sandbox/sandbox.ts";
import type { Trace } from "../../src/trace/trace.ts";
import type { Workspace } from "../../src/workspace/workspace.ts";
import { memoryStore } from "../support/fresh-store.ts";
import { homeOf, ledgerAt } from "../support/ledger.ts";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";

/** One answer: a text, a document to be written as JSON, or what the request makes of it. */
export type Line =
  | string
  | object
  | ((request: AuthorRequest) => string | object | Promise<string | object>);

/** An author that answers from a script and keeps what it was asked. */
export interface ScriptedAuthor extends Author {
  readonly asked: readonly AuthorRequest[];
}

/** Answers line by line; asked once too often it says so in a failure. */
export function scriptedAuthor(...lines: readonly Line[]): ScriptedAuthor {
  const asked: AuthorRequest[] = [];
  return {
    name: "scripted",
    model: "script-1",
    strictJson: false,
    tokenBudget: 0,
    asked,
    async answer(request): Promise<AuthorAnswer> {
      const line = lines[asked.push(request) - 1];
      if (request.signal.aborted) return { ok: false, code: "ERR_CANCELLED", message: "Cancelled" };
      if (line === undefined) return { ok: false, code: "LLM_REQUEST", message: "script is over" };
      const said = typeof line === "function" ? await line(request) : line;
      const text = typeof said === "string" ? said : JSON.stringify(said);
      return { ok: true, text, usage: { inputTokens: 100, outputTokens: 10 } };
    },
  };
}

/** The last thing that the author was told in its `n`th request, from 0. */
export function requestText(author: ScriptedAuthor, n: number): string {
  return author.asked[n]?.messages.at(-1)?.content ?? "";
}

/** Every part of the use cases by its name, so that a test can put another in its place. */
export interface SceneParts
  extends AnswerDeps,
    Omit<DiscussDeps, "answers">,
    PlanRecords,
    TransactionDeps,
    Omit<FolderDeps, "log">,
    Pick<PlannerDeps, "protocolVersion">,
    Pick<ChangeDeps, "normalizeEol">,
    Pick<OperationsDeps, "maxFixRounds">,
    Pick<OperationsDeps, "online"> {}

/** The use cases over such parts, and by those other authors where several ways are asked for. */
export function bindOperations(parts: SceneParts, others: readonly Author[] = []): Operations {
  const { protocolVersion, normalizeEol, limits, maxFixRounds, online } = parts;
  const toWay = (author: Author): Way => {
    const answers = { ...parts, author };
    const discussion = { ...parts, answers };
    return {
      planner: { discussion, records: parts, protocolVersion },
      changes: { answers, records: parts, normalizeEol, limits },
    };
  };
  return createOperations({
    ...toWay(parts.author),
    ways: (count) => [parts.author, ...others].slice(0, count).map(toWay),
    maxFixRounds,
    transactions: parts,
    folders: parts,
    ...(online && { online }),
  });
}

/** A planner on a fresh folder with a store in memory; everything it said is kept. */
export interface Scene extends Disposable {
  readonly root: string;
  readonly workspace: Workspace;
  readonly author: ScriptedAuthor;
  readonly operations: Operations;
  readonly plans: PlanStore;
  readonly deps: SceneParts;
  readonly events: readonly LogEvent[];
  readonly traces: readonly Trace[];
  /** What the person was told unasked. */
  readonly notices: readonly string[];
  /** The sha256 of a file as it is now. */
  sha(path: string): Promise<string>;
}

/** One logged event. */
export interface LogEvent {
  readonly event: string;
  readonly fields: Readonly<Record<string, LogValue>>;
}

/** What a scene may have differently. */
export interface SceneOptions {
  readonly autonomy?: Autonomy;
  /** Rules of the workspace, read anew for every plan, as from a configuration that changes. */
  readonly rules?: Partial<Workspace>;
  readonly limits?: Partial<DiscussDeps["limits"]>;
  readonly version?: ProtocolVersion;
  /** Whether an apply may step down to a lower version; it may unless told otherwise. */
  readonly fallback?: boolean;
  /** Corrections of what fails in a view; none unless told otherwise. */
  readonly maxFixRounds?: number;
  /** What checks run in; nothing unless told otherwise. */
  readonly sandbox?: Sandbox;
}

/** Builds a scene: files, the author's lines, and what differs from the defaults. */
export function createScene(
  files: Readonly<Record<string, string | Uint8Array>>,
  lines: readonly Line[],
  options: SceneOptions = {},
): Scene {
  const dir = tempDir();
  const home = tempDir();
  writeTree(dir.path, files);
  const store = memoryStore();
  const author = scriptedAuthor(...lines);
  const events: LogEvent[] = [];
  const traces: Trace[] = [];
  const notices: string[] = [];
  const workspaceAt = (root: string): Workspace => toWorkspace(root, options.rules);
  const deps: SceneParts = {
    author,
    check: "warn",
    plans: createPlanStore(store),
    limits: {
      maxFiles: 8,
      maxFileChars: 20_000,
      maxTotalChars: 120_000,
      maxLogChars: 12_000,
      ...options.limits,
    },
    trace: createTracePlanner({
      author,
      configSnapshot: { context: { max_files: 8 } },
      pricesOf: () => ({ inputPerMtok: 1, outputPerMtok: 10 }),
      now: systemClock.now,
      write: (_, trace) => traces.push(trace),
    }),
    autonomy: options.autonomy ?? "supervised",
    sandbox: options.sandbox ?? (async () => ({ kind: "none", reason: "a scene" })),
    viewsDir: join(home.path, "views"),
    env: process.env,
    verifications: createVerificationStore(store),
    redact: (text) => text.replaceAll("hunter2", "[masked]"),
    protocolVersion: options.version ?? 2,
    fallback: options.fallback ?? true,
    normalizeEol: "keep",
    maxFixRounds: options.maxFixRounds ?? 0,
    sources: NO_SOURCES,
    offers: { research: false, memory: false },
    workspaceAt,
    notice: (text) => notices.push(text),
    log: (event, fields = {}) => events.push({ event, fields }),
    clock: systemClock,
  };
  return {
    root: dir.path,
    workspace: workspaceAt(dir.path),
    author,
    operations: bindOperations(deps),
    plans: deps.plans,
    deps,
    events,
    traces,
    notices,
    sha: async (path) => sha256(await Bun.file(`${dir.path}/${path}`).bytes()),
    [Symbol.dispose]() {
      store.close();
      dir[Symbol.dispose]();
      home[Symbol.dispose]();
    },
  };
}

/** A folder with the rules that a test wants; throws as the configuration does when it is gone. */
export function toWorkspace(root: string, rules: Partial<Workspace> = {}): Workspace {
  if (!statSync(root, { throwIfNoEntry: false })?.isDirectory()) {
    throw new AppError("ERR_WORKSPACE_UNKNOWN", `Cannot use the workspace "${root}"`);
  }
  const path = realpathSync(root);
  return {
    name: basename(root),
    root: path,
    ledger: ledgerAt(homeOf(path)),
    check: "none",
    checkTimeoutMs: 60_000,
    maxActions: 0,
    protectedPaths: [],
    ...rules,
  };
}

/** A plan in the author's words. */
export const PLAN = { actions: [], summary: "1. Do it" };

/** A signal that never fires. */
export const never: AbortSignal = new AbortController().signal;

/** Makes the scene's plan; its id. */
export async function planIn(scene: Scene, goal = "do it"): Promise<string> {
  const plan = await scene.operations.plan(scene.workspace, goal, { signal: never });
  if (!plan.ok) throw new Error(`${plan.code}: ${plan.message}`);
  return plan.planId;
}

/** Events by name, in order. */
export function eventsOf(scene: Scene, ...names: readonly string[]): readonly LogEvent[] {
  return scene.events.filter(({ event }) => names.includes(event));
}

/** What a promise was rejected with. */
export async function reasonOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error("it was not rejected");
}

/** Actions that add a file in a new folder. */
export const CREATE = {
  actions: [{ kind: "CREATE_FILE", path: "docs/new.md", content: "# New\n" }],
  summary: "adds docs/new.md",
};

/** Actions that patch a.txt as it was shown. */
export const PATCH: Line = ({ messages }) => {
  const said = messages.map(({ content }) => content).join("\n");
  const base_sha256 = /FILE\[a\.txt\] \(sha256=([0-9a-f]{64})/.exec(said)?.[1];
  const patch = "@@ -1,2 +1,2 @@\n-one\n+1\n two\n";
  return {
    actions: [{ kind: "PATCH_FILE", path: "a.txt", base_sha256, patch }],
    summary: "patches",
  };
};

/** A scene with a.txt, whose author plans and then gives `answer`. */
export function sceneWith(answer: Line, options: SceneOptions = {}): Scene {
  return createScene({ "a.txt": "one\ntwo\n" }, [PLAN, answer, answer], options);
}

/** Plans, previews and gives both ids. */
export async function preview(scene: Scene) {
  const planId = await planIn(scene, "change a.txt");
  const outcome = await scene.operations.preview(planId, never);
  if (!outcome.ok) throw new Error(`${outcome.code}: ${outcome.message}`);
  return { planId, changeSetId: outcome.preview.changeSetId, shown: outcome.preview };
}

/** Rules under which no apply stays. */
export const FAILING: Partial<Workspace> = {
  check: [["bun", "-e", "console.log('no'); process.exit(3)"]],
};
