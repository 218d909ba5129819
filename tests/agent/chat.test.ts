import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  type ModelRequest,
  type ModelServer,
  type Reply,
  type Script,
  startModelServer,
} from "../support/model-server.ts";
import { tracesIn } from "../support/traces.ts";
import { writeTree } from "../support/tree.ts";
import { ANNA, ANNA_ELSEWHERE, BORIS, openScene, type Scene } from "./scene.ts";

const say = (text: string): Reply => ({ kind: "text", text });
const call = (name: string, args: unknown): Reply => ({
  kind: "tools",
  calls: [{ name, arguments: args }],
});

/** A scene whose model plays `script`. */
async function openChat(
  script: Script,
  options: Parameters<typeof openScene>[0] = {},
): Promise<Scene & { readonly model: ModelServer } & AsyncDisposable> {
  const model = startModelServer(script);
  const config = `[default]
provider = "local"
[providers.local]
base_url = "${model.url}"
model = "scripted"
api_key = "env:MODEL_KEY"
[reliability]
max_retries = 0
${options.config ?? ""}`;
  const env = { MODEL_KEY: "very-secret-key-1234567890" };
  const scene = await openScene({ ...options, config, env });
  return {
    ...scene,
    model,
    async [Symbol.asyncDispose]() {
      scene[Symbol.dispose]();
      await model.stop();
    },
  };
}

/** What a request held besides the system prompt: roles and contents. */
function said(request: ModelRequest | undefined): string[] {
  const [, ...messages] = request?.body.messages ?? [];
  return messages.map(({ role, content }) => `${role}: ${content}`);
}

describe("chat()", () => {
  test("names the skills of the workspace and of the person, and gives their bodies", async () => {
    const skill = (name: string) =>
      `---\nname: ${name}\ndescription: For ${name}\n---\nDo ${name}.`;
    const files = { ".papa-yu/skills/own/SKILL.md": skill("own"), "a.txt": "x" };
    const script = [call("skill", { name: "own" }), say("done"), say("again")];
    await using scene = await openChat(script, { files });
    await scene.say("hi");
    const [system] = scene.model.requests[0]?.body.messages ?? [];
    // A workspace may be a stranger's: what its skills say of themselves is not in the prompt.
    expect(system?.content).toContain("Answer in the user's language");
    expect(system?.content).toContain("own, release-notes (");
    expect(system?.content).not.toContain("For own");
    expect(said(scene.model.requests[1]).at(-1)).toContain("Do own.");
    writeTree(scene.dir, { "home/.papa-yu/skills/later/SKILL.md": skill("later") });
    await scene.say("hi");
    expect(scene.model.requests[2]?.body.messages[0]?.content).toContain('later ("For later")');
  });

  test("remembers for one person, and not for another in the same chat", async () => {
    const note = { key: "tea", text: "Green" };
    const script = [
      call("remember", note),
      say("ok"),
      call("recall", {}),
      say("ok"),
      call("recall", {}),
      say("ok"),
    ];
    await using scene = await openChat(script);
    await scene.say("I like green tea");
    await scene.say("What do I like?");
    expect(said(scene.model.requests[3]).at(-1)).toContain('"text":"Green"');
    await scene.say("And I?", BORIS);
    expect(said(scene.model.requests[5]).at(-1)).toContain("\nNothing is remembered of that.\n");
  });

  test("remembers earlier turns, of its own session alone", async () => {
    await using scene = await openChat([say("Hello Anna"), say("You are Anna"), say("Who?")]);
    await scene.say("I am Anna");
    expect((await scene.say("Who am I?")).text).toBe("You are Anna");
    expect(said(scene.model.requests[1])).toEqual([
      "user: I am Anna",
      "assistant: Hello Anna",
      "user: Who am I?",
    ]);
    await scene.say("And I?", ANNA_ELSEWHERE);
    expect(said(scene.model.requests[2])).toEqual(["user: And I?"]);
  });

  test("a first message costs under 5,700 bytes", async () => {
    await using scene = await openChat([say("hi")]);
    await scene.say("hi");
    const [request] = scene.model.requests;
    expect(Buffer.byteLength(request?.text ?? "")).toBeLessThan(5700);
    expect(request?.body.tools?.map((tool) => tool.function.name)).toEqual([
      "list_files",
      "read_file",
      "search_files",
      "propose_changes",
      "remember",
      "recall",
      "run_command",
      "http_request",
      "load_tools",
    ]);
  });

  test("reads a file with a tool, keeps call and result together, replays no failure", async () => {
    await using scene = await openChat([
      call("read_file", { path: "nope.txt" }),
      call("read_file", { path: "a.txt" }),
      say("It says one and two"),
      say("Yes"),
    ]);
    await scene.say("What is in a.txt?");
    expect(scene.model.requests[1]?.text).toContain("Error (not_found)");
    await scene.say("Sure?");
    expect(said(scene.model.requests[3])).toEqual([
      "user: What is in a.txt?",
      "assistant: null",
      expect.stringMatching(/^tool: <<<FILES (\w{8})\n1\|one\n2\|two\nFILES \1>>>$/u),
      "assistant: It says one and two",
      "user: Sure?",
    ]);
    expect(scene.model.requests[3]?.text).not.toContain("nope.txt");
  });

  test("a call whose result a crash swallowed is answered before it is sent", async () => {
    await using scene = await openChat([say("fine")]);
    const { sessions } = scene.app.current.agent.core;
    const toolCalls = [{ id: "c1", name: "read_file", arguments: '{"path":"a.txt"}' }];
    const incomplete = [
      { role: "user", content: "read it" },
      { role: "assistant", content: "", toolCalls },
    ] as const;
    sessions.append(ANNA.sessionId, incomplete, 1);
    await scene.say("again");
    const [request] = scene.model.requests;
    expect(request?.body.messages.map(({ role }) => role)).toEqual([
      "system",
      "user",
      "assistant",
      "tool",
      "user",
    ]);
    const [asked] = request?.body.messages[2]?.tool_calls ?? [];
    expect(request?.body.messages[3]?.tool_call_id).toBe(asked?.id ?? "");
  });

  test("a message longer than the history's budget is sent all the same", async () => {
    await using scene = await openChat([say("long")]);
    const text = "x".repeat(60_000);
    await scene.say(text);
    expect(said(scene.model.requests[0])).toEqual([`user: ${text}`]);
  });

  test("writes a trace of every turn, of failed ones too", async () => {
    const usage = { prompt_tokens: 100, completion_tokens: 7 };
    await using scene = await openChat([
      { kind: "tools", calls: [{ name: "read_file", arguments: { path: "a.txt" } }], usage },
      { kind: "text", text: "done", usage },
      { kind: "status", status: 401 },
    ]);
    await scene.say("look");
    await scene.say("again");
    expect(tracesIn(scene.folder)).toMatchObject([
      {
        mode: "chat",
        event: "LLM_CHAT_OK",
        model: "scripted",
        model_calls: 2,
        tokens: { input: 200, output: 14 },
        tool_calls: [{ name: "read_file", ok: true }],
      },
      { event: "LLM_REQUEST", error_code: "LLM_REQUEST" },
    ]);
  });

  test("an empty answer is reported as an error", async () => {
    await using scene = await openChat([say(""), say("  \n")]);
    expect((await scene.say("hi")).last("error").message).toContain("gave no answer");
    expect((await scene.say("hi")).last("error").code).toBe("LLM_REQUEST");
  });

  test("a failing provider is an error with its advice, and the next message works", async () => {
    await using scene = await openChat([{ kind: "status", status: 401 }, say("back")]);
    const reply = await scene.say("hi");
    expect(reply.kinds).toEqual(["error", "done"]);
    expect(reply.last("error").message).toContain("check api_key");
    expect((await scene.say("hi")).text).toBe("back");
  });
});

describe("propose_changes", () => {
  /** Chat calls the tool; the planner's own requests are answered with protocol JSON. */
  const playProposal: Script = ({ body }) => {
    const all = body.messages.map(({ content }) => content).join("\n");
    if (body.tools) {
      const last = body.messages.at(-1);
      if (last?.role !== "tool") return call("propose_changes", { goal: "write b.txt" });
      return say(`Told: ${last.content}`);
    }
    if (!all.includes("Now APPLY")) {
      return say(JSON.stringify({ actions: [], summary: "Write b.txt" }));
    }
    const actions = [{ kind: "CREATE_FILE", path: "b.txt", content: "new\n" }];
    return say(JSON.stringify({ actions, summary: "b.txt written" }));
  };

  test("shows one diff, tells the model that it waits, and writes after the yes", async () => {
    await using scene = await openChat(playProposal);
    const before = scene.tree();
    const reply = await scene.say("Please write b.txt");
    expect(reply.kinds.filter((kind) => kind !== "content")).toEqual([
      "tool_call",
      "approval",
      "tool_result",
      "done",
    ]);
    expect(reply.text).toContain("create b.txt. It is not applied yet");
    expect(scene.tree()).toEqual(before);
    expect((await scene.say("ok")).last("outcome").outcome.status).toBe("committed");
    expect(readFileSync(join(scene.folder, "b.txt"), "utf8")).toBe("new\n");
  });

  test("under full autonomy it is applied, and the model is told so", async () => {
    await using scene = await openChat(playProposal, { config: '[security]\nautonomy = "full"' });
    const reply = await scene.say("Please write b.txt");
    expect(reply.last("outcome").outcome.status).toBe("committed");
    expect(reply.text).toContain("committed: create b.txt");
  });

  test("under readonly nothing is written and the model is told why", async () => {
    const config = '[security]\nautonomy = "readonly"';
    await using scene = await openChat(playProposal, { config });
    const before = scene.tree();
    const reply = await scene.say("Please write b.txt");
    expect(reply.text).toContain("security.autonomy is readonly");
    expect(scene.tree()).toEqual(before);
  });

  test("a plan that fails is reported to the model once", async () => {
    await using scene = await openChat(({ body }) => {
      if (!body.tools) return { kind: "status", status: 400 };
      if (body.messages.at(-1)?.role !== "tool") {
        return call("propose_changes", { goal: "write b.txt" });
      }
      return say(`Told: ${body.messages.at(-1)?.content}`);
    });
    const reply = await scene.say("Please write b.txt");
    expect(reply.text).toContain("LLM_REQUEST: ");
    expect(reply.kinds).not.toContain("error");
  });
});

describe("secrets", () => {
  const KEY = "very-secret-key-1234567890";

  test("a key in a file reaches neither the model nor the person", async () => {
    await using scene = await openChat([call("read_file", { path: "a.txt" }), say("Seen")], {
      files: { "a.txt": `key=${KEY}\n` },
    });
    await scene.say("read");
    expect(scene.model.requests[1]?.text).toContain("1|key=[secret]");
    expect(scene.model.requests[1]?.text).not.toContain(KEY);
  });

  test.each([1, 3, 7, 100])(
    "a key said in pieces of %d characters is masked",
    async (chunkChars) => {
      const text = `The key is "${KEY}", and 密钥${KEY}是这个.`;
      await using scene = await openChat([{ kind: "text", text, chunkChars }, say("x")]);
      const reply = await scene.say("tell me");
      expect(reply.text).toBe('The key is "[secret]", and 密钥[secret]是这个.');
      await scene.say("again");
      expect(scene.model.requests[1]?.text).not.toContain(KEY);
    },
  );

  test("a key in a diff, a plan or an error is masked", async () => {
    await using scene = await openChat(({ body }) => {
      const all = body.messages.map(({ content }) => content).join("\n");
      if (all.includes("fail")) return { kind: "status", status: 400, body: `bad ${KEY}` };
      if (!all.includes("Now APPLY")) {
        return say(JSON.stringify({ actions: [], summary: `Use ${KEY}` }));
      }
      const actions = [{ kind: "CREATE_FILE", path: "b.txt", content: `${KEY}\n` }];
      return say(JSON.stringify({ actions, summary: "done" }));
    });
    const replies = [
      await scene.say("plan: b.txt"),
      await scene.say("ok"),
      await scene.say("plan: fail"),
    ];
    expect(replies[1]?.last("approval").preview.diff).toContain("+[secret]");
    expect(JSON.stringify(replies)).not.toContain(KEY);
    expect(scene.logged.join("")).not.toContain(KEY);
  });
});
