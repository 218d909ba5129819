import { existsSync } from "node:fs";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import {
  CallToolRequestSchema,
  EmptyResultSchema,
  ListToolsRequestSchema,
  type RequestId,
  type ServerNotification,
  type Tool,
} from "@modelcontextprotocol/sdk/types.js";
import { until } from "./patience.ts";

/** Path of this file: run with a behaviour as its argument it is a server on stdin and stdout. */
export const MCP_SERVER = import.meta.path;

const ANYTHING = { type: "object" as const };
const PNG = Buffer.from("not really a picture").toString("base64");

const TOOLS: readonly Tool[] = [
  {
    name: "echo",
    description: "Says it\u202e again\u0007",
    inputSchema: {
      type: "object",
      properties: {
        text: { type: "string" },
        choice: { anyOf: [{ type: "string" }, { type: "null" }] },
        many: { type: "array", items: { type: "string" } },
      },
      required: ["text"],
    },
    annotations: { readOnlyHint: true },
  },
  ...[
    "environment",
    "media",
    "broken",
    "die",
    "hang",
    "flood line",
    "flood messages",
    "garbage",
    "huge",
    "ask back",
    "change list",
    "spawn",
  ].map((name) => ({ name, inputSchema: ANYTHING })),
];

/** A real server with tools that behave in every way one can, or that lists others. */
export function createTestServer(listed: readonly Tool[] = TOOLS): Server {
  let tools = listed;
  const server = new Server(
    { name: "test", version: "1" },
    { capabilities: { tools: { listChanged: true } } },
  );
  server.setRequestHandler(ListToolsRequestSchema, ({ params }) => {
    // Two pages.
    const middle = 2;
    return params?.cursor === "rest"
      ? { tools: tools.slice(middle) }
      : { tools: tools.slice(0, middle), nextCursor: "rest" };
  });
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, call) => {
    const args = params.arguments ?? {};
    const say = (text: string) => ({ content: [{ type: "text" as const, text }] });
    switch (params.name) {
      case "echo":
        return say(JSON.stringify(args));
      case "environment":
        return say(JSON.stringify({ env: process.env, cwd: process.cwd() }));
      case "media":
        return {
          content: [
            { type: "text", text: "\x1b[31mred\x1b[0m\x07 text" },
            { type: "image", mimeType: "image/png", data: PNG },
            { type: "resource_link", name: "notes", uri: "file:///notes.txt" },
            { type: "resource", resource: { uri: "file:///a.txt", text: "inside" } },
            { type: "resource", resource: { uri: "file:///b.bin", blob: PNG } },
          ],
        };
      case "broken":
        return { ...say(textIn(args) ?? "there is no such page"), isError: true };
      case "die":
        console.error("out of memory");
        process.exit(3);
        break;
      case "hang":
        return new Promise(() => {});
      case "flood line":
        for (;;) if (!process.stdout.write("x".repeat(1 << 20))) await drained();
      case "flood messages":
        if (import.meta.main) {
          // Over stdio, where its client does not wait for each.
          const message = `${JSON.stringify({ jsonrpc: "2.0", ...progress() })}\n`.repeat(500);
          for (;;) if (!process.stdout.write(message)) await drained();
        }
        while (!call.signal.aborted) {
          for (let n = 0; n < 500; n++) await call.sendNotification(progress());
          await Bun.sleep(0); // over HTTP it shares a thread with its client
        }
        break;
      case "garbage":
        process.stdout.write("this is no JSON\n{}\n[1,\n");
        writeAnswer(call.requestId, { content: "no array" });
        return new Promise(() => {});
      case "huge":
        return say("ж".repeat(100_000));
      case "ask back":
        return say(await askBack(server));
      case "change list":
        tools = [{ name: "fresh", inputSchema: ANYTHING }];
        await server.sendToolListChanged();
        return say("changed");
      case "spawn":
        Bun.spawn(["sleep", String(args["seconds"])], { env: {}, detached: true });
        return new Promise(() => {});
      default:
        throw new Error(`no tool ${params.name}`);
    }
    return say("");
  });
  return server;
}

function textIn({ text }: Record<string, unknown>): string | undefined {
  return typeof text === "string" ? text : undefined;
}

/** Past the SDK, which would not send it. */
function writeAnswer(id: RequestId, result: unknown): void {
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, result })}\n`);
}

function drained(): Promise<unknown> {
  return new Promise((resolve) => process.stdout.once("drain", resolve));
}

function progress(): ServerNotification {
  return { method: "notifications/progress", params: { progressToken: "none", progress: 1 } };
}

/** What the client says to all that a server could want of it. */
async function askBack(server: Server): Promise<string> {
  const message = { role: "user" as const, content: { type: "text" as const, text: "your keys?" } };
  const requests = [
    { method: "sampling/createMessage" as const, params: { messages: [message], maxTokens: 10 } },
    { method: "roots/list" as const },
    {
      method: "elicitation/create" as const,
      params: {
        message: "your password?",
        requestedSchema: { type: "object" as const, properties: {} },
      },
    },
  ];
  const answers = requests.map((request) =>
    server.request(request, EmptyResultSchema).then(
      () => "granted",
      (error: Error) => error.message,
    ),
  );
  return (await Promise.all(answers)).join("\n");
}

if (import.meta.main) await serveStdio(process.argv[2] ?? "");

/** `behaviour` is how it fails to start, if it does. */
async function serveStdio(behaviour: string): Promise<void> {
  if (behaviour === "mute") return void setInterval(() => {}, 1000);
  if (behaviour === "fail") {
    console.error("the token is missing");
    process.exit(1);
  }
  const [, sign] = /^after:(.*)$/.exec(behaviour) ?? [];
  if (sign !== undefined) await until(() => existsSync(sign));
  if (behaviour === "chatty") process.stdout.write("Welcome to the test server!\n");
  await createTestServer(toListed(behaviour)).connect(new StdioServerTransport());
}

/** "tools:" and a list: what is listed in place of the tools that do something. */
function toListed(behaviour: string): readonly Tool[] | undefined {
  if (!behaviour.startsWith("tools:")) return undefined;
  const listed: readonly Omit<Tool, "inputSchema">[] = JSON.parse(behaviour.slice(6));
  return listed.map((tool) => Object.assign({ inputSchema: ANYTHING }, tool));
}
