import { AppError } from "../../core/app-error.ts";
import type { Clock } from "../../core/clock.ts";
import { unlessAborted } from "../../core/until-aborted.ts";
import type { ToolArguments, ToolFailure, ToolResult } from "../tool.ts";
import { type Connection, connect } from "./connection.ts";
import type { Launch, ListedTools } from "./launch.ts";
import { renderResult } from "./render-result.ts";
import { failure, toFailure } from "./to-failure.ts";

/** What is known of a server before it is started. */
export interface ServerSettings {
  readonly name: string;
  /** Reads secrets, so only for a start. Throws AppError. */
  readonly launch: () => Launch;
  /** Changes with everything that could make it another server. */
  readonly fingerprint: string;
  /** By the server's own names; empty: all. */
  readonly allowedTools: readonly string[];
  readonly readOnlyTools: readonly string[];
  /** The list that the owner has read and taken for their own, by `hashList()`; empty: none. */
  readonly toolsSha256: string;
  /** Of its start, and of each request. */
  readonly timeoutMs: number;
  /** Of papa-yu, for the server. */
  readonly version: string;
}

/**
 * One server: started when it is needed, and kept until it dies, hangs or is closed. One that
 * dies is restarted, at once for the first time, then later and later, then not at all.
 */
export interface Server {
  readonly settings: ServerSettings;
  /**
   * Its tools as it lists them now.
   *
   * @throws AppError unavailable, or what the SDK throws; the signal's reason when it is aborted
   */
  list(signal: AbortSignal): Promise<ListedTools>;
  /** A call that is cancelled or takes too long ends the server with all that it started. */
  call(tool: string, args: ToolArguments, signal: AbortSignal): Promise<ToolResult>;
  /** Whether it runs with a list that nobody has read yet. */
  isListStale(): boolean;
  close(): Promise<void>;
}

/** A server that is not started yet. */
export function createServer(settings: ServerSettings, clock: Clock): Server {
  const { timeoutMs, version } = settings;
  const end = new AbortController();
  let opening: Promise<Connection> | undefined;
  let isListStale = false;
  let diedAt: readonly number[] = [];

  /** One start for all who wait for it; it goes on when they do not. */
  function open(): Promise<Connection> {
    opening ??= start();
    return opening;
  }

  function start(): Promise<Connection> {
    const starting = connectLater();
    starting.then(
      () => {
        isListStale = true;
      },
      () => bury(starting),
    );
    return starting;

    async function connectLater(): Promise<Connection> {
      await clock.sleep(toPauseMs(), end.signal);
      return connect({
        launch: settings.launch(),
        version,
        onListChanged: () => {
          isListStale = true;
        },
        onClosed: () => bury(starting),
        signal: AbortSignal.any([end.signal, AbortSignal.timeout(timeoutMs)]),
      });
    }
  }

  /** Throws when it has died too often. */
  function toPauseMs(): number {
    diedAt = diedAt.filter((at) => clock.now() - at < DEATHS_WITHIN_MS);
    if (diedAt.length < MAX_DEATHS) return diedAt.length < 2 ? 0 : 1000 * 2 ** (diedAt.length - 2);
    const minutes = DEATHS_WITHIN_MS / 60_000;
    const message = `it failed ${MAX_DEATHS} times within ${minutes} minutes and is left alone for a while`;
    throw new AppError("unavailable", message);
  }

  function bury(dead: Promise<Connection>): void {
    if (opening === dead && diedAt.length < MAX_DEATHS) diedAt = [...diedAt, clock.now()];
    forget(dead);
  }

  function forget(gone: Promise<Connection>): void {
    if (opening !== gone) return;
    opening = undefined;
    isListStale = false;
  }

  /** One request within its time; a server that exceeds it is ended. */
  async function request<T>(
    signal: AbortSignal,
    ask: (connection: Connection, limit: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const opened = open();
    const connection = await unlessAborted(signal, opened);
    const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    try {
      return await ask(connection, limit);
    } catch (error) {
      if (limit.aborted) {
        forget(opened);
        await connection.close();
      }
      throw error;
    }
  }

  return {
    settings,
    async list(signal) {
      const tools = await request(signal, (connection, limit) => connection.list(limit));
      isListStale = false;
      return tools;
    },
    async call(tool, args, signal) {
      const isReadOnly = settings.readOnlyTools.includes(tool);
      try {
        const result = await request(signal, (connection, limit) =>
          connection.call(tool, args, limit),
        );
        const text = renderResult(result);
        if (!result.isError) return { ok: true, content: text };
        // On a line of its own: what is no sentence of ours is wrapped as a stranger's.
        return { ...failure("internal", `The tool reports:\n${text}`, false), isOfCall: true };
      } catch (error) {
        return signal.aborted ? CANCELLED : toFailure(error, isReadOnly);
      }
    },
    isListStale: () => isListStale,
    async close() {
      end.abort();
      const connection = await opening?.catch(() => undefined);
      await connection?.close();
    },
  };
}

/** So often a server may die within the time before it is left alone. */
const MAX_DEATHS = 5;
const DEATHS_WITHIN_MS = 10 * 60_000;

const CANCELLED: ToolFailure = {
  ok: false,
  error: "cancelled; nobody knows how far it got",
  errorCode: "denied",
  retryable: false,
};
