import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { modelLines } from "../agent/ways-scene.ts";
import { type ModelRequest, type Reply, startModelServer } from "../support/model-server.ts";
import { hasOverlay } from "../support/overlay.ts";
import { until } from "../support/patience.ts";
import { tempDir } from "../support/temp.ts";
import { readTree, writeTree } from "../support/tree.ts";
import { openConsoleScene } from "./console-scene.ts";
import { createSandbox } from "./papayu.ts";

/** Plans two files, and three once somebody wants another. */
function playTwoFiles({ body }: ModelRequest): Reply {
  const said = body.messages.map(({ content }) => String(content)).join("\n");
  const names = ["why", "how", ...(said.includes("and where") ? ["where"] : [])];
  const actions = names.map((name) => {
    return { kind: "CREATE_FILE", path: `docs/${name}.md`, content: `# ${name}\n` };
  });
  const isApply = said.includes("Now APPLY");
  const text = JSON.stringify({ actions: isApply ? actions : [], summary: "1. Write docs" });
  return { kind: "text", text };
}

test("leaving out on the page asks anew everywhere; the old question is out of date on the phone", async () => {
  await using scene = await openConsoleScene("", playTwoFiles);
  const { phone, post, folder } = scene;
  await phone.say("plan: write docs", "Write docs");
  const question = await phone.tap("Apply", "Changes for notes");
  const [item] = (await scene.inbox()).items;
  const { ref = "", digest = "" } = item ?? {};
  const body = { act: "leave_out", ref, leave_out: [{ path: "docs/how.md" }] };
  const press = async (more: object) => {
    const answer = await post("/api/press", { ...body, ...more });
    return { status: answer.status, text: await answer.text() };
  };
  expect((await press({})).status).toBe(400);
  expect((await press({ digest: "f".repeat(64) })).status).toBe(409);
  for (const wrong of [
    "docs/how.md",
    [{ path: 1 }],
    [{ path: "a", hunks: [-1] }],
    [{ path: "a", hunks: [0.5] }],
    [{ path: "a", hunk: [0] }],
    Array.from({ length: 2001 }, () => ({ path: "a" })),
    [{ path: "a", hunks: Array.from({ length: 20_001 }, (_, n) => n) }],
  ]) {
    expect((await press({ digest, leave_out: wrong })).status).toBe(400);
  }
  expect((await press({ digest, leave_out: [{ path: "docs/x.md" }] })).text).toContain(
    "no such file or hunk",
  );
  const both = await Promise.all([press({ digest }), press({ digest })]);
  expect(both.filter(({ text }) => text.includes('"approval_id"'))).toHaveLength(1);

  const { items } = await scene.inbox();
  expect(items).toMatchObject([{ kind: "change_set", files: 1 }]);
  const [rest] = items;
  expect(rest?.ref).not.toBe(ref);
  expect(rest?.digest).not.toBe(digest);
  expect(await scene.review(ref)).toMatchObject({ state: "superseded", actions: [] });
  expect((await press({ digest })).text).toContain("took its place");
  const approve = { act: "approve", digest };
  expect((await post("/api/press", { ...approve, ref: rest?.ref })).status).toBe(409);
  expect(await phone.pressAgain(question, 0)).toContain("took its place");
  await phone.waitForText("Changes for notes");
  await phone.tap("Approve", "Applied in notes");
  expect(Object.keys(readTree(folder))).toContain("docs/why.md");
  expect(Object.keys(readTree(folder))).not.toContain("docs/how.md");
});

test("what is said of lines becomes another plan, with its own question on the phone", async () => {
  await using scene = await openConsoleScene("", playTwoFiles);
  const { phone, post, folder } = scene;
  await phone.say("plan: write docs", "Write docs");
  await phone.tap("Apply", "Changes for notes");
  const [item] = (await scene.inbox()).items;
  const { ref, digest } = item ?? {};
  const revise = (comments: unknown) =>
    post("/api/press", { act: "revise", ref, digest, comments });
  for (const wrong of [
    "x",
    [{ path: "a" }],
    [{ text: "x", path: "a", line: 1 }],
    [{ text: "x", line: 1, side: "after" }],
    [{ text: "x", path: "a", side: "left", line: 1 }],
    [{ text: "x", path: "a", side: "after", line: 3, to: 2 }],
    [{ text: "x".repeat(10_001) }],
    [{ text: "x", instead: true }],
    [{ text: "x", path: "a", instead: true }],
    [{ text: "x", path: "a", side: "before", line: 1, instead: true }],
    [{ text: "\ud800", path: "a", side: "after", line: 1, instead: true }],
    [{ text: "x", path: "a", side: "after", line: 1, instead: "yes" }],
    Array.from({ length: 201 }, () => ({ text: "x" })),
  ]) {
    expect((await revise(wrong)).status).toBe(400);
  }
  const place = { path: "docs/why.md", side: "after", line: 1 };
  const said = await (await revise([{ ...place, text: "and where </script>" }])).text();
  expect(said).toContain('"approval_id"');
  expect((await scene.inbox()).items).toMatchObject([{ files: 3, title: "write docs" }]);
  expect(Object.keys(readTree(folder))).toEqual(["a.txt"]);
  await phone.waitForText("docs/where.md");
  await phone.tap("Approve", "Applied in notes");
  expect(Object.keys(readTree(folder))).toContain("docs/where.md");
});

test("drafts are kept, also after a start; what took its place says what is different, and what was said", async () => {
  await using scene = await openConsoleScene("", playTwoFiles);
  const { phone, post, sandbox } = scene;
  await phone.say("plan: write docs", "Write docs");
  await phone.tap("Apply", "Changes for notes");
  const [item] = (await scene.inbox()).items;
  const { ref = "", digest = "" } = item ?? {};
  const at = { path: "docs/why.md", side: "after", line: 1 };
  const draft = (said: unknown, id = ref) => post(`/api/change-sets/${id}/draft`, said);
  for (const text of ["n", "no", "not so </script>\u202e\u001b[31m"]) {
    expect((await draft({ ...at, text })).status).toBe(200);
  }
  expect((await draft({ path: "docs/how.md", text: "x" })).status).toBe(200);
  expect((await draft({ path: "docs/how.md", text: "" })).status).toBe(200);
  expect((await draft({ text: "x" }, "ap_other")).status).toBe(409);
  for (const wrong of [
    "x",
    { text: 1 },
    [],
    { ...at, line: 0, text: "x" },
    { ...at, line: 2, to: 1, text: "x" },
  ]) {
    expect((await draft(wrong)).status).toBe(400);
  }
  expect((await draft({ text: "x".repeat(10_000_000) })).status).toBe(413);
  // What would be refused when it is sent is refused at once.
  for (const [wrong, found] of [
    [{ ...at, to: 99_999 }, 'lines 1 to 99999 of "docs/why.md", which has 1 on that side; '],
    [{ ...at, line: 2 }, "which has 1 on that side; give lines from 1 to 1"],
    [{ ...at, to: 2, instead: true }, "which has 1 on that side; give lines from 1 to 1"],
    [{ ...at, side: "before" }, '"docs/why.md" has no lines on that side; '],
    [{ ...at, path: "docs" }, "say it of the file as a whole"],
    [{ path: "docs/x.md" }, 'has no file "docs/x.md"; '],
  ] as const) {
    const answer = await draft({ ...wrong, text: "x" });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: expect.stringContaining(found) });
    // Nothing that was kept before stands in the way of taking it back.
    expect((await draft({ ...wrong, text: "" })).status).toBe(200);
  }
  expect((await draft({ ...at, to: 1, text: "at last" })).status).toBe(200);
  expect((await draft({ ...at, text: "not so </script>\u202e\u001b[31m" })).status).toBe(200);
  const said = { ...at, text: "not so </script>\u202e\u001b[31m" };
  expect(await scene.review(ref)).toMatchObject({ drafts: [said] });
  await scene.daemon.stop();
  await using _second = await sandbox.host();
  const [, port = ""] =
    /http: listening, port (\d+)/.exec((await sandbox.run("status")).stdout) ?? [];
  const ask = async (path: string, body?: unknown) => {
    const init = body ? { method: "POST", body: JSON.stringify(body) } : {};
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      ...init,
      headers: scene.bearer,
    });
    return answer.text();
  };
  const review = async (id: string) => JSON.parse(await ask(`/api/change-sets/${id}`));
  expect(await review(ref)).toMatchObject({ drafts: [said] });
  const press = { act: "revise", ref, digest, comments: [said, { text: "and where" }] };
  expect(await ask("/api/press", press)).toContain('"approval_id"');
  const [{ ref: next }] = JSON.parse(await ask("/api/inbox")).items;
  expect(await review(ref)).toMatchObject({ state: "superseded", next, drafts: [] });
  expect(await review(next)).toMatchObject({
    drafts: [],
    previous: { approval_id: ref, comments: [said, { text: "and where" }], gone: [] },
    files: [
      { path: "docs", since: "same" },
      { path: "docs/how.md", since: "same" },
      { path: "docs/where.md", since: "new" },
      { path: "docs/why.md", since: "same" },
    ],
  });
  const { hunks } = JSON.parse(await ask(`/api/change-sets/${next}/files/3`));
  expect(hunks).toMatchObject([{ same: true }]);
});

test.if(hasOverlay)(
  "kill -9 while what stays is checked leaves the old question, which counts after the start",
  async () => {
    using dir = tempDir();
    writeTree(join(dir.path, "notes"), { "a.txt": "x\n" });
    await using model = startModelServer(playTwoFiles);
    const check = [
      ["sh", "-c", String.raw`printf '\033[32mfine\033[0m\n'; test -f docs/how.md || sleep 600`],
    ];
    const printed = { stages: [{ ok: true, output: "fine\n", looks: [[0, 0, 4, "green"]] }] };
    const config = `${modelLines(model.url, ["one"])}[http]
port = 0
[[workspaces]]
name = "notes"
path = "./notes"
check = ${JSON.stringify(check)}
`;
    const sandbox = createSandbox(dir.path, config);
    const talk = async () => {
      const [, port = ""] =
        /http: listening, port (\d+)/.exec((await sandbox.run("status")).stdout) ?? [];
      const token = readFileSync(join(sandbox.home, "http.token"), "utf8").trim();
      const headers = { authorization: `Bearer ${token}` };
      const root = `http://127.0.0.1:${port}`;
      return {
        post: (path: string, body: unknown) =>
          fetch(root + path, { method: "POST", headers, body: JSON.stringify(body) }),
        get: async (path: string) =>
          JSON.parse(await (await fetch(root + path, { headers })).text()),
      };
    };
    const first = await sandbox.start();
    const api = await talk();
    await (await api.post("/api/chat", { message: "apply: write docs", session_id: "s" })).text();
    const [item] = (await api.get("/api/inbox")).items;
    expect(item).toMatchObject({ kind: "change_set", check: "passed", files: 2 });
    const { ref, digest } = item;
    expect(await api.get(`/api/change-sets/${ref}`)).toMatchObject({ check: printed });
    const leaveOut = [{ path: "docs/how.md" }];
    const answer = await api.post("/api/press", {
      act: "leave_out",
      ref,
      digest,
      leave_out: leaveOut,
    });
    const decoder = new TextDecoder();
    let heard = "";
    for await (const chunk of answer.body ?? []) {
      heard += decoder.decode(chunk);
      if (heard.includes('"progress"')) break;
    }
    first.kill("SIGKILL");
    await first.exited;
    await using second = await sandbox.start();
    const after = await talk();
    await until(async () => (await after.get("/api/inbox")).items.length > 0);
    expect((await after.get("/api/inbox")).items).toMatchObject([
      { ref, digest, kind: "change_set" },
    ]);
    const done = await after.post("/api/press", { act: "approve", ref, digest });
    expect(await done.text()).toContain("Applied in notes");
    const past = await after.get("/api/workspaces/notes");
    expect(past.entries).toMatchObject([{ check: printed }]);
    expect(second.pid).not.toBe(first.pid);
  },
);
