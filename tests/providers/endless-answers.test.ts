import { beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { createSandbox } from "../e2e/papayu.ts";
import { oneOf } from "../support/long.ts";
import { event, startModelServer } from "../support/model-server.ts";
import { papayuProgram } from "../support/papayu-program.ts";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";

const EVENTS = { "content-type": "text/event-stream" };

/** A body that repeats a piece for as long as somebody reads, after a beginning. */
function endless(piece: string, first = ""): ReadableStream<Uint8Array> {
  const repeated = Buffer.from(piece.repeat(Math.ceil(65_536 / piece.length)));
  let isFirst = true;
  return new ReadableStream({
    pull(controller) {
      controller.enqueue(isFirst && first !== "" ? Buffer.from(first) : repeated);
      isFirst = false;
    },
  });
}

function call(delta: object): string {
  return event({ delta: { tool_calls: [{ index: 0, function: delta }] } });
}

/** Much at once, in long words: what comes in small pieces takes longer to come to the same bound. */
const WORDS = `${"word".repeat(50)} `.repeat(100);

/** What a server may send without ever ending it. */
const ENDLESS: Readonly<Record<string, () => Response>> = {
  words: () => new Response(endless(event({ delta: { content: WORDS } })), { headers: EVENTS }),
  thoughts: () =>
    new Response(endless(event({ delta: { reasoning_content: WORDS } })), { headers: EVENTS }),
  arguments: () =>
    new Response(endless(call({ arguments: WORDS }), call({ name: "list_files" })), {
      headers: EVENTS,
    }),
  "pieces without content": () =>
    new Response(endless(event({ delta: { role: "assistant", id: "x".repeat(5000) } })), {
      headers: EVENTS,
    }),
  comments: () => new Response(endless(": ping\n\n"), { headers: EVENTS }),
  "one line": () => new Response(endless("x", "data: "), { headers: EVENTS }),
  "one event of many lines": () => new Response(endless("data: x\n"), { headers: EVENTS }),
  "empty lines of one event": () => new Response(endless("data\n"), { headers: EVENTS }),
  choices: () => new Response(endless('{"delta":{}},', 'data: {"choices":['), { headers: EVENTS }),
  "one document": () =>
    new Response(endless("x", '{"choices":[{"message":{"content":"'), {
      headers: { "content-type": "application/json" },
    }),
  "a refusal": () => new Response(endless("no "), { status: 400 }),
  "a bomb": () =>
    new Response(gzipSync(Buffer.alloc(256 * 1024 * 1024, " ")), {
      headers: { ...EVENTS, "content-encoding": "gzip" },
    }),
};

const MIB = 1024 * 1024;

/** One turn of a real process; a bound of two seconds ends what only keeps the line alive. */
async function ask(dir: string, url: string) {
  const config = `[default]\nprovider = "p"\n[providers.p]\nbase_url = "${url}"\nmodel = "m"\n[reliability]\nmax_retries = 0\nrequest_timeout_s = 2\n[[workspaces]]\nname = "w"\npath = "./w"\n`;
  writeTree(join(dir, "w"), { "a.txt": "x" });
  const { env } = createSandbox(dir, config);
  const command = [process.execPath, papayuProgram(), "ask", "hi", "--json"];
  const child = Bun.spawn(command, { cwd: dir, env, stdout: "pipe", stderr: "ignore" });
  const stdout = await new Response(child.stdout).text();
  await child.exited;
  const report: { readonly error?: string; readonly error_code?: string } = JSON.parse(stdout);
  return { ...report, peakBytes: child.resourceUsage()?.maxRSS ?? Infinity };
}

describe("an answer without an end takes bounded memory and ends with words", () => {
  let usualBytes = 0;
  beforeAll(async () => {
    using dir = tempDir();
    await using plain = startModelServer([{ kind: "text", text: "hello" }]);
    usualBytes = (await ask(dir.path, plain.url)).peakBytes;
  });

  test.each(oneOf(5, Object.entries(ENDLESS)))("%s", async (_, answer) => {
    using dir = tempDir();
    const server = Bun.serve({ port: 0, hostname: "127.0.0.1", idleTimeout: 0, fetch: answer });
    try {
      const ended = await ask(dir.path, `${server.url.origin}/v1`);
      expect(ended.error_code).toStartWith("LLM_REQUEST");
      // Which of its bounds it comes to first is a matter of the machine's speed.
      expect(ended.error).toMatch(
        /over \d+ MiB|nothing of an answer came for 2 s|it took too long as a whole|HTTP 400/u,
      );
      expect(ended.peakBytes - usualBytes).toBeLessThan(256 * MIB);
    } finally {
      await server.stop(true);
    }
  });
});
