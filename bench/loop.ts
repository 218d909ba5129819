import type { Database } from "bun:sqlite";
import { join } from "node:path";
import { OpenAI } from "openai";
import { runTurn } from "../src/agent/turn/turn.ts";
import { openJournal, type TurnJournal } from "../src/agent/turn/turn-journal.ts";
import { systemClock } from "../src/core/clock.ts";
import { createCapabilities } from "../src/providers/capabilities.ts";
import { createOpenAiProvider } from "../src/providers/openai.ts";
import type { Provider, ProviderEvent } from "../src/providers/provider.ts";
import { createApprovalStore } from "../src/store/approvals.ts";
import { openStore } from "../src/store/open/open-database.ts";
import { createSessionStore } from "../src/store/sessions.ts";
import { createWriter } from "../src/store/writer/writer.ts";
import { textsIn } from "../src/texts/texts.ts";
import type { Tool, ToolEffect } from "../src/tools/tool.ts";
import { createNotes, OPEN } from "../tests/agent/turn-play.ts";
import { startModelServer } from "../tests/support/model-server.ts";
import { tempDir } from "../tests/support/temp.ts";
import { median } from "./median.ts";

const ITERATIONS = 10;
const RUNS = 15;
const usage = { inputTokens: 10, outputTokens: 5 };

function createTool(effect: ToolEffect): Tool {
  return {
    schema: {
      name: "look",
      description: "Looks",
      parameters: { type: "object", properties: { q: { type: "integer" } }, required: ["q"] },
    },
    origin: "own",
    leaves: "nothing",
    effect: () => effect,
    run: async () => ({ ok: true, content: "seen" }),
  };
}

const TOOL = createTool("none");
const CHANGE = createTool("change");

/** What the loop costs for each tool iteration: by itself, and compared with a bare loop over one server. */
export async function benchLoop(): Promise<string> {
  await using model = startModelServer(({ body }) => {
    const n = body.messages.filter(({ role }) => role === "tool").length;
    if (n === ITERATIONS) return { kind: "text", text: "done" };
    return { kind: "tools", calls: [{ name: "look", arguments: { q: n }, id: `c${n}` }] };
  });
  const capabilities = createCapabilities();
  const options = { name: "m", baseUrl: model.url, model: "x", timeoutMs: 5000, capabilities };
  const served = createOpenAiProvider(options);
  const client = new OpenAI({ baseURL: model.url, apiKey: "none", maxRetries: 0 });
  const times = {
    alone: [] as number[],
    kept: [] as number[],
    effects: [] as number[],
    served: [] as number[],
    bare: [] as number[],
  };
  using dir = tempDir();
  using database = openStore(join(dir.path, "state.db"));
  const journal = openDurable(database);
  for (let i = 0; i <= RUNS; i++) {
    const alone = await stopwatch(() => turn(createScripted()));
    const kept = await stopwatch(() => turn(createScripted(), { journal }));
    const effects = await stopwatch(() => turn(createScripted(), { journal, tool: CHANGE }));
    const own = await stopwatch(() => turn(served));
    const bare = await stopwatch(() => bareTurn(client));
    if (i === 0) continue; // the first round loads and compiles
    times.alone.push(alone);
    times.kept.push(kept);
    times.effects.push(effects);
    times.served.push(own);
    times.bare.push(bare);
  }
  const each = (values: readonly number[]) => median(values) / ITERATIONS;
  const over = each(times.served) - each(times.bare);
  return [
    "| for each tool iteration | papa-yu | bare openai client | difference |",
    "|---|---:|---:|---:|",
    `| the loop alone, no server | ${each(times.alone).toFixed(3)} ms | | |`,
    `| and each round kept on disk | ${each(times.kept).toFixed(3)} ms | | |`,
    `| and each call an effect that is written down before it runs | ${each(times.effects).toFixed(3)} ms | | |`,
    `| over one server on loopback | ${each(times.served).toFixed(2)} ms | ${each(times.bare).toFixed(2)} ms | ${over.toFixed(2)} ms |`,
  ].join("\n");
}

async function stopwatch(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/** The journal of a turn in a database, as a chat has it. */
function openDurable(database: Database): TurnJournal {
  return openJournal(
    {
      core: {
        sessions: createSessionStore(database),
        approvals: createApprovalStore(database),
        clock: systemClock,
      },
      commit: createWriter(database, systemClock),
    },
    { sessionId: "bench", userId: "bench" },
    "turn",
  );
}

async function turn(
  provider: Provider,
  { journal = createNotes().journal, tool = TOOL }: { journal?: TurnJournal; tool?: Tool } = {},
): Promise<void> {
  const { text } = await runTurn({
    model: { provider, temperature: 0 },
    tools: [tool],
    gate: OPEN,
    journal,
    conversation: {
      messages: [{ role: "user", content: "look" }],
      argumentContext: { userTexts: ["look"] },
    },
    voice: {
      emit: () => {},
      texts: textsIn("en"),
      redact: (said) => said,
      findCut: (_text, end) => end,
      mayLink: () => true,
    },
    bounds: {
      limits: {
        maxToolIterations: ITERATIONS + 1,
        maxFailedRounds: 3,
        maxFailuresInARow: 2,
        turnTimeoutMs: 60_000,
      },
      clock: systemClock,
      signal: new AbortController().signal,
    },
  });
  if (text !== "done") throw new Error(`the turn ended with "${text}"`);
}

/** A model that costs nothing. */
function createScripted(): Provider {
  let n = 0;
  return {
    name: "scripted",
    model: "x",
    async *stream(): AsyncGenerator<ProviderEvent> {
      n += 1;
      if (n > ITERATIONS) yield { kind: "content", text: "done" };
      else
        yield { kind: "tool_call", call: { id: `c${n}`, name: "look", arguments: `{"q":${n}}` } };
      yield { kind: "end", reason: "stop", usage };
    },
  };
}

/** The least that anybody has to write: stream, merge, answer, again. */
async function bareTurn(client: OpenAI): Promise<void> {
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: "look" }];
  for (;;) {
    const stream = await client.chat.completions.create({
      model: "x",
      messages,
      stream: true,
      stream_options: { include_usage: true },
      tools: [{ type: "function", function: { ...TOOL.schema } }],
    });
    let content = "";
    let args = "";
    let id = "";
    for await (const chunk of stream) {
      const delta = chunk.choices[0]?.delta;
      content += delta?.content ?? "";
      id ||= delta?.tool_calls?.[0]?.id ?? "";
      args += delta?.tool_calls?.[0]?.function?.arguments ?? "";
    }
    if (content !== "") return;
    const call = { id, type: "function", function: { name: "look", arguments: args } } as const;
    messages.push({ role: "assistant", content: null, tool_calls: [call] });
    messages.push({ role: "tool", tool_call_id: id, content: "seen" });
  }
}
