import { expect, test } from "bun:test";
import { createCapabilities } from "../../src/providers/capabilities.ts";
import { complete } from "../../src/providers/complete.ts";
import { createOpenAiProvider } from "../../src/providers/openai.ts";
import { HOSTILE } from "../http/hostile-servers.ts";
import { rawServer } from "../http/raw-server.ts";
import { measureEffort } from "../support/effort.ts";

const KEY = "sk-test-7Yh2kQ0aZ";
const DEEP = 100_000;

async function ask(baseUrl: string, timeoutMs = 60_000) {
  const provider = createOpenAiProvider({
    name: "local",
    baseUrl,
    apiKey: KEY,
    model: "tiny",
    timeoutMs,
    capabilities: createCapabilities(),
  });
  return complete(provider, { messages: [{ role: "user", content: "hi" }] });
}

async function askOf(body: string, type: string) {
  const answer = () => new Response(body, { headers: { "content-type": type } });
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: answer });
  try {
    const port = String(server.port);
    const { failure } = await ask(`http://user:pass-word@127.0.0.1:${port}/v1/`);
    return { message: failure?.message ?? "", retryable: failure?.retryable, port };
  } finally {
    await server.stop(true);
  }
}

test.each([
  [
    "a page of a proxy",
    "<!DOCTYPE html><title>Log in</title>",
    "text/html",
    'a web page (text/html: "<!DOCTYPE html><title>Log in</title>")',
  ],
  [
    "a page that says it is JSON",
    "<html>Welcome",
    "application/json",
    "a web page (application/json",
  ],
  ["nothing", "", "application/json", "it is empty"],
  ["blanks", " \n ", "text/plain", "it is empty"],
  ["words", "Ollama is running", "text/plain", 'no JSON (text/plain: "Ollama is running")'],
  ["words with hidden ones", "a\u202eb\u001b[2J", "text/plain", "a\\\\u{202e}b\\\\u{1b}[2J"],
  [
    "a list of models",
    '{"object":"list","data":[]}',
    "application/json",
    'holds no "choices" but is an object with "object, data"',
  ],
  ["another API", '{"response":"hi"}', "application/json", 'with "response"'],
  ["a number", "7", "application/json", 'is "7"'],
  ["null", "null", "application/json", 'is "null"'],
  ["a deep list", "[".repeat(DEEP) + "]".repeat(DEEP), "application/json", 'but is "[[['],
  ["half a document", '{"choices":[{', "application/json", "no JSON"],
  [
    "an event that is none",
    "data: <html>\n\n",
    "text/event-stream",
    'a piece of it is no JSON ("<html>")',
  ],
])(
  "createOpenAiProvider() says what came when it is %s, from where, and what to do",
  async (_, body, type, words) => {
    const { message, port } = await askOf(body, type);
    expect(message).toStartWith(
      'Cannot get an answer of "tiny" from "local": the answer is no completion: ',
    );
    expect(message).toContain(words);
    expect(message).toContain(`it came from "http://127.0.0.1:${port}/v1/chat/completions"`);
    expect(message).toContain("check base_url in [providers.local]");
    expect(message).not.toContain("pass-word");
  },
);

test.each([
  ["a deep error", `{"error":${"[".repeat(DEEP)}${"]".repeat(DEEP)}}`],
  [
    "deep arguments",
    `{"choices":[{"message":{"tool_calls":[{"function":{"name":"x","arguments":${"[".repeat(DEEP)}${"]".repeat(DEEP)}}}]}}]}`,
  ],
])("createOpenAiProvider() survives %s, and soon", async (_, body) => {
  const effort = measureEffort();
  const { message } = await askOf(body, "application/json");
  expect(message).toContain("nested too deep");
  expect(effort()).toBeLessThan(300);
});

test("createOpenAiProvider() passes on what an error says that came with status 200", async () => {
  const { message } = await askOf('{"error":{"message":"model not found"}}', "application/json");
  expect(message).toBe('Cannot get an answer of "tiny" from "local": model not found');
});

test.concurrent.each(Object.entries(HOSTILE))(
  "createOpenAiProvider() leaves a server that %s",
  async (_, answer) => {
    using server = await rawServer(answer);
    const { failure } = await ask(`http://127.0.0.1:${server.port}/v1`, 300);
    expect(failure?.code).toStartWith("LLM_REQUEST");
  },
);
