import { describe, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { createConversation } from "../../src/agent/conversation.ts";
import { writeTree } from "../support/tree.ts";
import { ANNA, ANNA_ELSEWHERE, hear, openScene, WRITER } from "./scene.ts";

const TWO = '[[workspaces]]\nname = "other"\npath = "./other"\ncheck = false';

describe("slash commands", () => {
  test("/plan, /diff, /apply, /history, /undo, /redo do what the words do", async () => {
    using scene = await openScene({ author: WRITER });
    expect((await scene.say("/history")).text).toBe("No changes yet.");
    expect((await scene.say("/plan")).text).toContain("/plan add a README");
    expect((await scene.say("/plan b.txt: new")).kinds).toEqual(["plan", "done"]);
    expect((await scene.say("/diff")).last("approval").preview.diff).toContain("+new");
    const { approvalId } = (await scene.say("/apply")).last("approval");
    await scene.press("approve", approvalId);
    expect((await scene.say("/history")).text).toMatch(
      /^\d{4}-\d\d-\d\d \d\d:\d\d apply committed \(1 changes\) b\.txt: new$/,
    );
    expect((await scene.say("/undo")).last("outcome").outcome.status).toBe("undone");
    expect((await scene.say("/undo")).last("outcome").outcome.errorCode).toBe("UNDO_NOTHING");
    expect((await scene.say("/redo")).last("outcome").outcome.status).toBe("redone");
    expect((await scene.say("/redo")).last("outcome").outcome.errorCode).toBe("REDO_NOTHING");
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
    expect((await scene.say("/ws")).text).toBe(
      "Workspaces:\n▸ other\n  notes\n/ws NAME chooses one",
    );
    const asked = (await scene.say("apply: b.txt: new")).last("approval");
    expect((await scene.say("/ws notes")).text).toBe("Workspace: notes");
    expect((await scene.say("/ws")).text).toContain("▸ notes");
    expect((await scene.say("/ws", ANNA_ELSEWHERE)).text).toContain("▸ other");
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
      const { code, message } = (await scene.say(`/ws ${name}`)).last("error");
      expect(code).toBe("ERR_WORKSPACE_UNKNOWN");
      expect(message).toBe(`There is no workspace "${name}"; there are: notes`);
      expect((await scene.say("/ws")).text).toContain("▸ notes");
    },
  );

  test("a workspace whose folder is gone is told, and does not hide the others", async () => {
    using scene = await openScene({ config: TWO });
    expect((await scene.say("/history")).last("error").code).toBe("ERR_WORKSPACE_UNKNOWN");
    await scene.say("/ws notes");
    expect((await scene.say("/history")).text).toBe("No changes yet.");
  });

  test("/status and /routines come from the daemon", async () => {
    using scene = await openScene();
    expect((await scene.say("/status")).text).toStartWith("No daemon runs here.\nModels today");
    expect((await scene.say("/routines")).text).toBe("No daemon runs here.");
    const describeDaemon = { status: () => "up", routines: () => "No routines." };
    const conversation = createConversation({ ...scene.app.agent, describe: describeDaemon });
    const say = (text: string) => hear((emit) => conversation.message(ANNA, text, emit));
    expect((await say("/status")).text).toStartWith("up\nModels today");
    expect((await say("/routines")).text).toBe("No routines.");
  });

  test("/help lists every command", async () => {
    using scene = await openScene();
    const { text } = await scene.say("/help");
    for (const name of "plan apply diff undo redo history ws status routines help cancel".split(
      " ",
    ))
      expect(text).toContain(`\n/${name} `);
  });

  test.each([
    ["/hlep", "Did you mean /help?"],
    ["/aply now", "Did you mean /apply?"],
    ["/", "plan: GOAL"],
    ["/constructor", "Unknown command /constructor. /help"],
    ["/__proto__", "Unknown command"],
    [`/${"x".repeat(5000)}`, "Unknown command"],
  ])("%p is no command: the nearest one, and never a failure", async (text, answer) => {
    using scene = await openScene();
    const heard = await scene.say(text);
    expect(heard.kinds).toEqual(["content", "done"]);
    expect(heard.text).toContain(answer);
    expect(heard.text.length).toBeLessThan(700);
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
    expect((await scene.say(word)).text).toContain("/undo take the newest change back");
  });

  test.each(["undo it please", "constructor", "toString", "help me"])(
    "%p is chat",
    async (text) => {
      using scene = await openScene();
      expect((await scene.say(text)).text).toContain("No model is configured");
    },
  );
});
