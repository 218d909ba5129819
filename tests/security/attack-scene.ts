import type { ChatRequest, Provider, ProviderEvent } from "../../src/providers/provider.ts";
import type { Effect } from "../../src/security/policy.ts";
import type { Tool, ToolArguments, ToolResult } from "../../src/tools/tool.ts";
import { toRequest } from "../../src/tools/web/http-request.ts";
import { openScene, type Scene, WRITER } from "../agent/scene.ts";

/** One answer of the model: text, or calls by name with their arguments. */
export type Step = string | readonly (readonly [name: string, args: ToolArguments])[];

/** A model that plays one step per request, and then says "end". */
export function play(...steps: Step[]): Provider & { readonly asked: ChatRequest[] } {
  const asked: ChatRequest[] = [];
  return {
    name: "scripted",
    model: "m",
    asked,
    async *stream(request): AsyncGenerator<ProviderEvent> {
      asked.push(request);
      const step = steps[asked.length - 1] ?? "end";
      const usage = { inputTokens: 1, outputTokens: 1 };
      if (typeof step === "string") {
        yield { kind: "content", text: step };
        return yield { kind: "end", reason: "stop", usage };
      }
      for (const [i, [name, args]] of step.entries()) {
        const call = { id: `${asked.length}-${i}`, name, arguments: JSON.stringify(args) };
        yield { kind: "tool_call", call };
      }
      yield { kind: "end", reason: "tool_calls", usage };
    },
  };
}

/** A tool with an effect, that keeps what it was run with. */
export function spy(
  name: string,
  effect: Effect,
  more: Partial<Omit<Tool, "origin" | "leaves">> & {
    readonly origin?: Tool["origin"];
    readonly leaves?: Tool["leaves"];
    readonly answer?: (args: ToolArguments) => ToolResult;
  } = {},
): Tool & { readonly runs: ToolArguments[] } {
  const { answer = () => ({ ok: true, content: `${name} ran` }), ...rest } = more;
  const runs: ToolArguments[] = [];
  const text = { type: "string" } as const;
  const properties = { q: text, url: text, body: text };
  return {
    schema: { name, description: name, parameters: { type: "object", properties } },
    origin: "own",
    leaves: more.origin === "outside" ? "arguments" : "nothing",
    effect: () => effect,
    runs,
    async run(args) {
      runs.push(args);
      return answer(args);
    },
    ...rest,
  };
}

/** A page that a stranger wrote, under any address. */
export function pageTool(page: string) {
  const answer = ({ url }: ToolArguments) =>
    ({ ok: true, content: page, page: String(url) }) as const;
  return spy("fetch", "network", { origin: "outside", leaves: toRequest, answer });
}

/** An agent with a model that does what a script says, and tools that only note their runs. */
export async function openAttack(options: {
  readonly steps: readonly Step[];
  readonly tools: readonly Tool[];
  readonly autonomy?: "readonly" | "supervised" | "full";
  readonly security?: string;
  readonly files?: Readonly<Record<string, string>>;
}): Promise<Scene & { readonly model: ReturnType<typeof play> }> {
  const { steps, tools, autonomy = "supervised", security = "", files } = options;
  const model = play(...steps);
  const config = `[security]\nautonomy = "${autonomy}"\n${security}\n`;
  const scene = await openScene({
    provider: model,
    tools,
    config,
    author: WRITER,
    ...(files && { files }),
  });
  return Object.assign(scene, { model });
}

/** The newest message of a kind that the model was sent. */
export function lastSent(request: ChatRequest | undefined, role: "tool" | "user"): string {
  return request?.messages.findLast((message) => message.role === role)?.content ?? "";
}
