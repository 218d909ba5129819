import type { AgentEvent } from "../../src/channels/channel.ts";
import { type ModelRequest, type Reply, startModelServer } from "../support/model-server.ts";
import { openScene } from "./scene.ts";

/** Who is asked: the model, how freely, and with what. */
export type Asked = Pick<ModelRequest["body"], "model" | "temperature" | "messages">;

/** What a way writes into word.txt, or another reply. */
export type Answer = (asked: Asked) => readonly string[] | Reply;

/** Content without word.txt, and with it when one of its lines is "good". */
export const CHECK = "test ! -f word.txt || grep -qx good word.txt";

const say = (document: object): Reply => {
  const usage = { prompt_tokens: 1000, completion_tokens: 200 };
  return { kind: "text", text: JSON.stringify(document), usage };
};

/** Models that plan a word and write it. */
export function playWays(
  answer: Answer,
  memory = false,
  plan?: (asked: Asked) => Reply | undefined,
) {
  return startModelServer(({ body }) => {
    const isApply = String(body.messages.at(-1)?.content).includes("Now APPLY");
    const by = `${body.model} ${body.temperature}`;
    const memory_patch = { "project.ci_notes": by };
    const extra = memory ? { memory_patch } : {};
    const other = isApply ? undefined : plan?.(body);
    if (other) return other;
    if (!isApply) return say({ actions: [], summary: `1. As ${by} does`, ...extra });
    const answered = answer(body);
    if ("kind" in answered) return answered;
    const content = `${answered.join("\n")}\n`;
    const action = { kind: "CREATE_FILE", path: "word.txt", content };
    return say({ actions: [action], summary: `As ${by} does` });
  });
}

/** What a scene with models has differently. */
export interface WaysOptions {
  readonly models?: readonly string[];
  readonly check?: string;
  /** More lines of the configuration. */
  readonly more?: string;
  readonly memory?: boolean;
  /** A file with the key of every model. */
  readonly keyPath?: string;
}

/** The lines of a configuration with these models, the first by default. */
export function modelLines(url: string, models: readonly string[], more = ""): string {
  const [first = "", ...others] = models;
  const providers = models.map(
    (name) => `[providers.${name}]
base_url = "${url}"
model = "${name}-1"
price_input_per_mtok = 1
price_output_per_mtok = 10
`,
  );
  return `[default]
provider = "${first}"
${providers.join("")}[reliability]
max_retries = 0
fallback_providers = ${JSON.stringify(others)}
${more}`;
}

/** A scene whose plans are written by models. */
export async function openWays(answer: Answer, options: WaysOptions = {}) {
  const { models = ["one", "two"], check = CHECK, more, memory } = options;
  const server = playWays(answer, memory);
  const env = {
    PATH: process.env["PATH"] ?? "",
    ...(memory && { PAPAYU_MEMORY_AUTOPATCH: "1" }),
  };
  const plain = modelLines(server.url, models, more);
  const key = options.keyPath === undefined ? "" : `api_key = "file:${options.keyPath}"\n`;
  const config = plain.replaceAll("base_url = ", `${key}base_url = `);
  const scene = await openScene({
    config,
    check: JSON.stringify([["sh", "-c", check]]),
    env,
  });
  return {
    ...scene,
    server,
    /** Plans, and goes on to the question. */
    async ask(goal = "plan: add a word") {
      const { planId } = (await scene.say(goal)).last("plan");
      return (await scene.press("apply", planId)).last("approval");
    },
    async [Symbol.asyncDispose]() {
      await scene[Symbol.asyncDispose]();
      await server.stop();
    },
  };
}

/** The lines that tell of each way. */
export function linesOf(event: Extract<AgentEvent, { kind: "choice" }>): readonly string[] {
  return event.text.split("\n").filter((line) => /^\d\. /u.test(line));
}
