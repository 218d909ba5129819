import { describe, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { createConversation } from "../../src/agent/conversation.ts";
import { toTelegramHtml } from "../../src/channels/telegram/message/markdown.ts";
import { toCommand } from "../../src/protocol/command.ts";
import { textsIn } from "../../src/texts/texts.ts";
import { readHistory } from "../../src/transaction/journal/history.ts";
import { writeTree } from "../support/tree.ts";
import {
  ANNA,
  ANNA_ELSEWHERE,
  BORIS,
  collectReply,
  openScene,
  WRITER,
  withDaemon,
} from "./scene.ts";

const TWO = '[[workspaces]]\nname = "other"\npath = "./other"\ncheck = false';

describe("slash commands", () => {
  test("/plan, /diff, /apply, /history, /undo, /redo do what the words do", async () => {
    using scene = await openScene({ author: WRITER });
    expect((await scene.say("/history")).text).toBe("No changes yet.");
    expect((await scene.say("/plan")).text).toContain("/plan fix the failing test");
    expect((await scene.say("/plan b.txt: new")).kinds).toEqual(["plan", "done"]);
    expect((await scene.say("/diff")).last("approval").preview.diff).toContain("+new");
    const { approvalId } = (await scene.say("/apply")).last("approval");
    await scene.press("approve", approvalId);
    expect((await scene.say("/history")).text).toMatch(
      /^\d{4}-\d\d-\d\d \d\d:\d\d applied, 1 change: b\.txt: new$/,
    );
    expect((await scene.say("/undo")).last("outcome").outcome.status).toBe("undone");
    expect((await scene.say("/undo")).last("outcome").outcome.errorCode).toBe("UNDO_NOTHING");
    expect((await scene.say("/redo")).last("outcome").outcome.status).toBe("redone");
    expect((await scene.say("/redo")).last("outcome").outcome.errorCode).toBe("REDO_NOTHING");
  });

  test("/history, and an /undo that finds nothing, say that older changes are left alone", async () => {
    using scene = await openScene();
    const { root } = scene.app.current.agent.core.workspaces.get();
    const begin = { v: 1, line: "begin", kind: "apply", at: 1, changeSetId: "x", summary: "x" };
    const lines = [
      { ...begin, changes: [] },
      { line: "end", status: "committed" },
    ];
    writeTree(root, {
      ".papa-yu/tx/tx_00000000000000aa/journal.jsonl": lines
        .map((line) => `${JSON.stringify(line)}\n`)
        .join(""),
    });
    expect((await scene.say("/history")).text).toMatch(/^No changes yet\.\n1 older change in /);
    expect((await scene.say("/undo")).text).toMatch(/^1 older change in .+papayu recover -w /);
    expect((await scene.say("/redo")).text).toBe("");
  });

  test("/history and /memory show a link that a model wrote as code", async () => {
    using scene = await openScene({ author: WRITER });
    const link = "[here](https://evil.example/?d=secret)";
    await scene.say(`/plan b.txt: ${link}`);
    const { approvalId } = (await scene.say("/apply")).last("approval");
    await scene.press("approve", approvalId);
    const { core, commands } = scene.app.current.agent;
    const { memories } = commands;
    const owner = { userId: ANNA.userId, workspaceRoot: core.workspaces.get().root };
    const note = { key: "k", category: "note", text: link, isEverywhere: false };
    memories.save(owner, note, Date.now());
    for (const command of ["/history", "/memory"]) {
      const { text } = await scene.say(command);
      expect(text).toContain("evil.example/?d=secret");
      expect(toTelegramHtml(text)).not.toContain("href");
    }
  });

  test("what a message changes it changes once, however often it is brought", async () => {
    using scene = await openScene({
      config: '[security]\nautonomy = "full"',
      author: WRITER,
    });
    const bring = (text: string, messageId: string) => {
      const origin = { messageId, receivedAt: Date.now() };
      return collectReply((emit) => scene.conversation.message(ANNA, text, emit, origin));
    };
    const kinds = () =>
      readHistory(scene.app.current.agent.core.workspaces.get()).map(({ kind }) => kind);
    await scene.say("apply: b.txt: new");
    for (const text of ["apply: a.txt: first", "undo", "/undo", "redo", "/redo"]) {
      const before = kinds();
      await bring(text, text);
      const after = kinds();
      const again = await bring(text, text);
      expect(kinds()).toEqual(after);
      expect(after).toHaveLength(before.length + 1);
      if (!text.startsWith("apply")) expect(again.last("outcome").outcome.ok).toBe(true);
    }
  });

  test.each(["/apply", "/diff", "/APPLY"])(
    "%s without a plan says how to make one",
    async (text) => {
      using scene = await openScene();
      expect((await scene.say(text)).last("error")).toMatchObject({
        code: "ERR_PLAN_UNKNOWN",
        message: expect.stringContaining("/plan GOAL"),
      });
    },
  );

  test("/diff tells why a plan cannot be shown any more", async () => {
    using scene = await openScene({ author: WRITER });
    await scene.say("plan: a.txt: new");
    await scene.say("ok");
    rmSync(join(scene.folder, "a.txt"));
    expect((await scene.say("/diff")).last("error").message).toContain("a.txt");
  });

  test("/ws lists and chooses a configured workspace, for this session alone", async () => {
    using scene = await openScene({ config: TWO, author: WRITER });
    writeTree(join(scene.dir, "other"), { "x.txt": "x\n" });
    const listed = (await scene.say("/ws")).last("choice");
    expect(listed.text).toBe("Workspaces:\n▸ other\n· notes\n/ws NAME chooses one");
    expect(listed.options).toEqual([{ label: "notes", press: { act: "use_ws", ref: "notes" } }]);
    const asked = (await scene.say("apply: b.txt: new")).last("approval");
    expect((await scene.say("/ws notes")).text).toBe("Workspace: notes");
    expect((await scene.say("/ws")).last("choice").text).toContain("▸ notes");
    expect((await scene.press("use_ws", "other")).text).toBe("Workspace: other");
    expect((await scene.press("use_ws", "/etc")).last("error").code).toBe("ERR_WORKSPACE_UNKNOWN");
    expect((await scene.press("use_ws", "notes")).text).toBe("Workspace: notes");
    const elsewhere = (await scene.say("/ws", ANNA_ELSEWHERE)).last("choice");
    expect(elsewhere.text).toContain("▸ other");
    // The question was about the other workspace.
    const late = await scene.press("approve", asked.approvalId);
    expect(late.last("error").code).toBe("APPROVAL_INVALID");
    expect((await scene.say("/apply")).last("error").code).toBe("ERR_PLAN_UNKNOWN");
    expect((await scene.say("plan: c.txt: new")).last("plan").workspace).toBe("notes");
  });

  test.each(["/etc", "./notes", "../notes", "~", "nope", "notes notes", "__proto__"])(
    "/ws %s is refused: only configured names",
    async (name) => {
      using scene = await openScene();
      const { code, message } = (await scene.say(`/ws ${name}`, ANNA_ELSEWHERE)).last("error");
      expect(code).toBe("ERR_WORKSPACE_UNKNOWN");
      expect(message).toBe(`There is no workspace "${name}"; there are: notes`);
      expect((await scene.say("/ws")).text).toContain("▸ notes");
    },
  );

  test("a workspace whose folder is gone is reported, and does not hide the others", async () => {
    using scene = await openScene({ config: TWO });
    expect((await scene.say("/history")).last("error").code).toBe("ERR_WORKSPACE_UNKNOWN");
    const listed = (await scene.say("/ws")).last("choice");
    expect(listed.text).toContain("▸ other\n· notes");
    expect(listed.options).toMatchObject([{ label: "notes" }]);
    await scene.say("/ws notes");
    expect((await scene.say("/history")).text).toBe("No changes yet.");
  });

  test("/status and /routines need the daemon", async () => {
    using scene = await openScene();
    expect((await scene.say("/status")).text).toStartWith(
      "No daemon is running here.\nModels today",
    );
    expect((await scene.say("/routines")).text).toBe("No daemon is running here.");
    const { agent } = scene.app.current;
    const conversation = createConversation(withDaemon(agent, { status: () => "up" }));
    const say = (text: string) => collectReply((emit) => conversation.message(ANNA, text, emit));
    expect((await say("/status")).text).toStartWith("up\nModels today");
  });

  test.each(["/undo README.md", "/apply only README.md", "/redo x", "/diff\ta", "/Use 2"])(
    "%j asks for less than the command does, and is told so",
    async (text) => {
      using scene = await openScene();
      const { name = "" } = toCommand(text) ?? {};
      expect((await scene.say(text)).text).toBe(
        `Nothing was done: /${name} takes no words behind it.`,
      );
    },
  );

  test("/help and /start list every command", async () => {
    using scene = await openScene();
    const { text } = await scene.say("/help");
    for (const name of Object.keys(textsIn("en").commands)) expect(text).toContain(`\n/${name} `);
    expect(text).toStartWith("I work in the folders my owner granted");
    expect((await scene.say("/start")).text).toBe(text);
    expect((await scene.say("/")).text).toBe(text);
  });

  test.each([
    ["/hlep", "Did you mean /help?"],
    ["/aply now", "Did you mean /apply?"],
    ["/constructor", "Unknown command /constructor. /help"],
    ["/__proto__", "Unknown command"],
    [`/${"x".repeat(5000)}`, "Unknown command"],
  ])("%p is no command: the nearest one, and never a failure", async (text, answer) => {
    using scene = await openScene();
    const reply = await scene.say(text);
    expect(reply.kinds).toEqual(["content", "done"]);
    expect(reply.text).toContain(answer);
    expect(reply.text.length).toBeLessThan(700);
  });
});

describe("commands that know and set", () => {
  test("every command of the menu is known, and none needs a model", async () => {
    using scene = await openScene({ author: WRITER });
    for (const name of Object.keys(textsIn("en").commands)) {
      const { kinds, text } = await scene.say(`/${name}`);
      expect(text, name).not.toContain("Unknown command");
      expect(kinds.at(-1), name).toBe("done");
      if (kinds.includes("error")) expect(["apply", "diff", "use"]).toContain(name);
    }
  });

  test("/memory lists the newest notes of the speaker here, and forgets one by its key", async () => {
    using scene = await openScene();
    const { memories } = scene.app.current.agent.commands;
    const owner = { userId: ANNA.userId, workspaceRoot: scene.folder };
    const remember = (key: string, text: string, now: number) =>
      memories.save(owner, { key, category: "fact", text, isEverywhere: key === "tea" }, now);
    expect((await scene.say("/memory")).text).toBe("I remember nothing here yet.");
    remember("tea", "green", 1);
    remember("style", `tabs\u202e\n${"x".repeat(500)}`, 2);
    const { text } = await scene.say("/memory");
    expect(text.split("\n")).toEqual([
      expect.stringMatching(/^style \(fact\): tabs\\u\{202e\} x{100,}…$/),
      "tea (fact, everywhere): green",
      "/memory forget KEY forgets one",
    ]);
    expect((await scene.say("/memory", BORIS)).text).toBe("I remember nothing here yet.");
    expect((await scene.say("/memory forget tea", BORIS)).text).toContain("nothing under");
    expect((await scene.say("/memory forget tea")).text).toBe("Forgotten: tea");
    expect((await scene.say("/memory")).text).not.toContain("tea");
    for (let each = 0; each < 25; each++) remember(`k${each}`, "v", 10 + each);
    const many = (await scene.say("/memory")).text.split("\n");
    expect(many).toHaveLength(22);
    expect(many[0]).toStartWith("k24 ");
    expect(many[20]).toBe("These are the newest 20 of 26; ask me for what you look for.");
  });

  const PROVIDERS =
    '[default]\nprovider = "one"\n[providers.one]\nbase_url = "http://127.0.0.1:9/v1"\nmodel = "m1"\n[providers.two]\nbase_url = "http://127.0.0.1:9/v1"\nmodel = "m2"\n';

  test("/model shows the providers and writes the chosen one", async () => {
    using scene = await openScene({ config: PROVIDERS });
    expect((await scene.say("/model")).text).toBe(
      "Provider: one, model: m1\nConfigured:\n▸ one (m1)\n· two (m2)\n· offline\n/model NAME chooses one",
    );
    expect((await scene.say("/model two")).text).toBe(
      'Written; it takes effect within a second:\ndefault.provider = "two"',
    );
    expect(await configOf(scene)).toContain('provider = "two"');
    const { code, message } = (await scene.say("/model three")).last("error");
    expect(code).toBe("ERR_PROVIDER_UNKNOWN");
    expect(message).toBe('There is no provider "three"; configured are: one, two, offline');
  });

  test("/mode narrows at once, and opens only by a yes to what is shown", async () => {
    using scene = await openScene({ config: '[security]\nautonomy = "supervised"\n' });
    expect((await scene.say("/mode")).text).toStartWith("Autonomy: supervised.");
    expect((await scene.say("/mode fully")).last("error").code).toBe("ERR_USAGE");
    const asked = (await scene.say("/mode full")).last("call_approval");
    expect(asked.shown).toBe(`Set "security.autonomy" in papa-yu's configuration to "full"`);
    expect(await configOf(scene)).toContain('"supervised"');
    expect((await scene.press("approve", asked.approvalId, BORIS)).last("error").code).toBe(
      "APPROVAL_INVALID",
    );
    await scene.press("reject", asked.approvalId);
    expect(await configOf(scene)).toContain('"supervised"');
    // A person may ask for it again, unlike a model.
    const again = (await scene.say("/mode full")).last("call_approval");
    const reply = await scene.press("approve", again.approvalId);
    expect(reply.kinds).toEqual(["tool_call", "call_result", "done"]);
    expect(await configOf(scene)).toContain('"full"');
    await scene.say("/mode readonly");
    expect(await configOf(scene)).toContain('"readonly"');
  });

  test.each(["/mode full", "/mode supervised", "/model offline"])(
    "%s opens nothing under readonly",
    async (command) => {
      using scene = await openScene({ config: '[security]\nautonomy = "readonly"\n' });
      const { code, message } = (await scene.say(command)).last("error");
      expect(code).toBe("denied");
      expect(message).toContain("papayu config set security.autonomy supervised");
      expect(await configOf(scene)).toContain('"readonly"');
    },
  );

  test("/report tells in short how the applies went, with the whole table below", async () => {
    using scene = await openScene({ author: WRITER });
    expect((await scene.say("/report")).text).toBe("No applies in notes yet.");
    await scene.say("apply: b.txt: new");
    const { text } = await scene.say("/report");
    expect(text).toMatch(
      /^Applies in notes: 1, \S+ to \S+\nFailed: 0, with a fallback: 0\nTokens: 0 in, 0 out\n/,
    );
    expect(text).toMatch(/\n```\n1 apply in notes[\s\S]*\n```\n$/);
  });

  async function configOf(scene: { readonly dir: string }): Promise<string> {
    return Bun.file(join(scene.dir, "config.toml")).text();
  }
});

describe("a question that waits", () => {
  const YES_AND_NO = [
    ["да", "нет"],
    ["好", "不"],
    ["Yes!", "No."],
  ] as const;
  test.each(YES_AND_NO)("%p is its yes and %p its no", async (yes, no) => {
    using scene = await openScene({ author: WRITER });
    await scene.say("apply: b.txt: new");
    const before = scene.tree();
    const refused = await scene.say(no);
    expect(refused.text).toBe("Rejected. Nothing was changed.");
    expect(scene.tree()).toEqual(before);
    // Without a question it is a word like any other.
    expect((await scene.say(no)).text).toContain("papayu doctor");
    await scene.say("apply: b.txt: new");
    expect((await scene.say(yes)).last("outcome").outcome.status).toBe("committed");
  });

  test("a no that was sent before the question is none", async () => {
    using scene = await openScene({ author: WRITER });
    await scene.say("apply: b.txt: new");
    const reply = await collectReply((emit) =>
      scene.conversation.message(ANNA, "no", emit, { messageId: "m", receivedAt: 1 }),
    );
    expect(reply.text).toStartWith("This was sent before the question");
    expect((await scene.say("no", BORIS)).last("error").code).toBe("APPROVAL_INVALID");
    expect((await scene.say("yes")).last("outcome").outcome.status).toBe("committed");
  });
});

describe("plain words", () => {
  test.each(["undo", " Undo\n", "отмени", "Отменить", "撤销"])("%p undoes", async (word) => {
    using scene = await openScene();
    expect((await scene.say(word)).last("outcome").outcome.errorCode).toBe("UNDO_NOTHING");
  });

  test.each(["redo", "верни", "Вернуть", "重做"])("%p redoes", async (word) => {
    using scene = await openScene();
    expect((await scene.say(word)).last("outcome").outcome.errorCode).toBe("REDO_NOTHING");
  });

  test.each(["help", "помощь", "帮助", "  /help"])("%p helps", async (word) => {
    using scene = await openScene();
    expect((await scene.say(word)).text).toContain("/undo — take the newest change back");
  });

  test.each(["undo it please", "constructor", "toString", "help me"])(
    "%p is chat",
    async (text) => {
      using scene = await openScene();
      expect((await scene.say(text)).text).toContain("No model is configured");
    },
  );
});
