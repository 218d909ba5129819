import { randomUUID } from "node:crypto";
import { resolve } from "node:path";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { AppError, errorMessage } from "../../core/app-error.ts";
import { killLeftovers, markRun, stopTree } from "../../system/processes/processes.ts";
import { createOutputWindow } from "../../system/run/run.ts";
import { createFloodGuard } from "./flood-guard.ts";
import type { Launch } from "./launch.ts";

/** What is kept of what a server says on stderr. */
const STDERR_BYTES = 2000;
/** How long what a server said last may take to arrive when something still holds its output. */
const DRAIN_MS = 250;
/** How long a process whose input is broken may take to end, and to say why. */
const END_MS = 2000;

/** A server process as the SDK speaks to it. */
export interface StdioTransport extends Transport {
  /** How it ended and what it said on stderr; empty when there is nothing to say. */
  readonly explain: () => string;
  readonly close: () => Promise<void>;
}

/**
 * Speaks with a child process, one JSON message a line. Unlike the SDK's own transport it ends
 * the whole tree of processes, and a server that floods.
 *
 * @param parse what makes a message of a line's JSON, or throws
 * @throws AppError unavailable from `start` when the program cannot be started
 */
export function createStdioTransport(
  launch: Extract<Launch, { kind: "stdio" }>,
  parse: (value: unknown) => JSONRPCMessage,
): StdioTransport {
  const mark = randomUUID();
  const flood = createFloodGuard();
  const said = createOutputWindow(STDERR_BYTES);
  let child: Child | undefined;
  let served: Promise<void> | undefined;
  let reason = "";
  let stopping: Promise<void> | undefined;

  const transport: StdioTransport = {
    async start() {
      child = spawn(launch, mark);
      served = serve(child);
    },
    async send(message) {
      if (!child) throw new Error("the server is not running");
      if ("method" in message && "id" in message) flood.asked();
      try {
        await child.stdin.write(`${JSON.stringify(message)}\n`);
        await child.stdin.flush();
      } catch (error) {
        // It has ended or is about to: why is told by its end, not by the pipe.
        await Promise.race([served, Bun.sleep(END_MS)]);
        throw error;
      }
    },
    close: () => (stopping ??= stop()),
    explain: () => [reason, said.text().trim()].filter((part) => part !== "").join(": "),
  };
  return transport;

  async function stop(): Promise<void> {
    if (!child) return;
    void Promise.resolve(child.stdin.end()).catch(() => {}); // may be broken already
    await stopTree(child.pid, mark, child.exited);
    await child.exited;
  }

  /** Until the process ends or sends too much; what it left running goes with it. */
  async function serve({ pid, stdout, stderr, exited }: Child): Promise<void> {
    const toLines = createLineSplitter();
    const complained = drain(stderr, (chunk) => said.add(chunk));
    const drained = drain(stdout, (chunk) => {
      if (flood.accept(chunk)) for (const line of toLines(chunk)) receive(line);
      else {
        reason ||= "it sent more than it was asked for";
        void transport.close();
      }
    });
    const code = await exited;
    stopping ??= Promise.resolve(killLeftovers(pid, mark));
    await stopping;
    await Promise.race([Promise.all([drained, complained]), Bun.sleep(DRAIN_MS)]);
    reason ||= `it ended with exit code ${code}`;
    transport.onclose?.();
  }

  /** Many servers print a greeting where only messages belong. */
  function receive(line: string): void {
    try {
      transport.onmessage?.(parse(JSON.parse(line)));
    } catch (error) {
      transport.onerror?.(new Error(errorMessage(error)));
    }
  }
}

type Child = ReturnType<typeof spawn>;

function spawn({ argv, cwd, env }: Extract<Launch, { kind: "stdio" }>, mark: string) {
  const [name = "", ...args] = argv;
  const found = name.includes("/")
    ? resolve(cwd, name)
    : Bun.which(name, { PATH: env["PATH"] ?? "" });
  try {
    if (found === null) throw new Error("the program was not found");
    return Bun.spawn([found, ...args], {
      cwd,
      env: { ...env, ...markRun(mark) },
      stdin: "pipe",
      stdout: "pipe",
      stderr: "pipe",
      detached: true, // a process group of its own
    });
  } catch (error) {
    throw new AppError("unavailable", `Cannot start "${name}": ${errorMessage(error)}`);
  }
}

async function drain(stream: ReadableStream<Uint8Array>, onChunk: (chunk: Uint8Array) => void) {
  try {
    for await (const chunk of stream) onChunk(chunk);
  } catch {
    // a pipe that broke has ended
  }
}

/** Cuts what comes into lines; a line in pieces is joined once. */
function createLineSplitter(): (chunk: Uint8Array) => readonly string[] {
  let parts: Uint8Array[] = [];
  return (chunk) => {
    const lines: string[] = [];
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      const line = Buffer.concat([...parts, chunk.subarray(start, end)]).toString("utf8");
      if (line.trim() !== "") lines.push(line);
      parts = [];
      start = end + 1;
    }
    if (start < chunk.length) parts.push(chunk.slice(start));
    return lines;
  };
}
