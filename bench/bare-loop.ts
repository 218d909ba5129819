/**
 * The floor for an agent: the client, one tool that reads a file, and requests until there is an answer:
 * `bun bare-loop.ts URL PROMPT`.
 */
import { readFileSync } from "node:fs";
import { OpenAI } from "openai";

const [baseURL = "", prompt = ""] = process.argv.slice(2);
const client = new OpenAI({ baseURL, apiKey: "none", maxRetries: 0 });
const parameters = { type: "object", properties: { path: { type: "string" } }, required: ["path"] };
const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: prompt }];
for (let answer = ""; answer === ""; ) {
  const stream = await client.chat.completions.create({
    model: "x",
    messages,
    stream: true,
    tools: [{ type: "function", function: { name: "read", description: "Reads", parameters } }],
  });
  let args = "";
  let id = "";
  for await (const { choices } of stream) {
    const delta = choices[0]?.delta;
    answer += delta?.content ?? "";
    id ||= delta?.tool_calls?.[0]?.id ?? "";
    args += delta?.tool_calls?.[0]?.function?.arguments ?? "";
  }
  if (answer !== "") break;
  const call = { id, type: "function", function: { name: "read", arguments: args } } as const;
  messages.push({ role: "assistant", content: null, tool_calls: [call] });
  const content = readFileSync(String(JSON.parse(args).path), "utf8");
  messages.push({ role: "tool", tool_call_id: id, content });
}
