import { describe, expect, test } from "bun:test";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { AppError } from "../../../src/core/app-error.ts";
import type { Log } from "../../../src/core/log.ts";
import { createContextCache } from "../../../src/planner/context/context-cache.ts";
import { NO_SOURCES } from "../../../src/planner/context/context-sources.ts";
import type { ReadLogs } from "../../../src/planner/context/logs-block.ts";
import { serveRequests } from "../../../src/planner/context/serve-requests.ts";
import type { ContextRequest } from "../../../src/protocol/response.ts";
import { measureEffort } from "../../support/effort.ts";
import { silentLog } from "../../support/silent-log.ts";
import { tempDir } from "../../support/temp.ts";
import { writeTree } from "../../support/tree.ts";
import { never, reasonOf, toWorkspace } from "../planner-scene.ts";

function open(files: Readonly<Record<string, string>> = {}, log: Log = silentLog) {
  const dir = tempDir();
  writeTree(dir.path, files);
  const workspace = toWorkspace(dir.path);
  const cache = createContextCache(log);
  return {
    root: dir.path,
    cache,
    serve: (...requests: ContextRequest[]) => serveRequests(workspace, requests, cache, never),
    workspace,
    [Symbol.dispose]: () => dir[Symbol.dispose](),
  };
}

const LONG = Array.from({ length: 500 }, (_, i) => `line ${i + 1}`).join("\n");

describe("serveRequests() read_file", () => {
  test("shows a range, and 200 lines on from the start without an end", async () => {
    using scene = open({ "a.txt": LONG });
    const [range, rest] = await scene.serve(
      { type: "read_file", path: "a.txt", start_line: 3, end_line: 4 },
      { type: "read_file", path: "a.txt", start_line: 100 },
    );
    expect(range?.body).toBe("3|line 3\n4|line 4\n… the file goes on to line 500 …");
    expect(rest?.body).toStartWith("100|line 100\n");
    expect(rest?.body).toEndWith("\n300|line 300\n… the file goes on to line 500 …");
    expect(range?.sha256).toBe(rest?.sha256 ?? "");
  });

  test("answers what may not be seen with a refusal", async () => {
    using scene = open({ "secrets/a.txt": "s", ".env": "s" });
    const paths = ["secrets/a.txt", ".env", "../a", "none.txt"];
    const blocks = await scene.serve(
      ...paths.map((path) => ({ type: "read_file" as const, path })),
    );
    expect(blocks.map(({ kind, header }) => [kind, header.split(" ")[0]])).toEqual(
      paths.map((path) => ["note", `REFUSED[${path}]:`]),
    );
  });
});

describe("serveRequests() search", () => {
  test("finds literal text by line, with a glob, without ignored and protected files", async () => {
    using scene = open({
      "a.ts": "x\nneedle.*\n",
      "b.md": "needle.*\n",
      "secrets/c.ts": "needle.*\n",
      "out.ts/d.ts": "needle.*\n",
      ".gitignore": "out.ts\n",
    });
    symlinkSync("secrets/c.ts", join(scene.root, "l.ts"));
    const [all, ts, none] = await scene.serve(
      { type: "search", query: "needle.*" },
      { type: "search", query: "needle.*", glob: "**/*.ts" },
      { type: "search", query: "needle,*" },
    );
    expect(all).toMatchObject({
      header: 'SEARCH["needle.*"]: 2 hits',
      body: "a.ts:2|needle.*\nb.md:1|needle.*",
    });
    expect(ts).toMatchObject({
      header: 'SEARCH["needle.*" in **/*.ts]: 1 hits',
      body: "a.ts:2|needle.*",
    });
    expect(none).toMatchObject({ header: 'SEARCH["needle,*"]: 0 hits', body: "" });
  });

  test("stops at 50 hits and says so; a query of several lines finds nothing", async () => {
    using scene = open({ "a.txt": "hit\n".repeat(80) });
    const [many, lines] = await scene.serve(
      { type: "search", query: "hit" },
      { type: "search", query: "hit\nhit" },
    );
    expect(many?.header).toBe('SEARCH["hit"]: the first 50 of 80 hits');
    expect(many?.body.split("\n")).toHaveLength(50);
    expect(lines?.header).toBe('SEARCH["hit\\nhit"]: 0 hits');
  });

  test("ends in time on a hostile glob and a line of a megabyte", async () => {
    using scene = open({
      [`${"a/".repeat(30)}b.txt`]: "needle",
      "long.txt": `${"x".repeat(1_000_000)}needle`,
    });
    const effort = measureEffort();
    const [hostile, long] = await scene.serve(
      { type: "search", query: "needle", glob: `${"**/a*/".repeat(80)}z` },
      { type: "search", query: "needle" },
    );
    expect(effort()).toBeLessThan(4000);
    expect(hostile?.header).toContain("0 hits");
    expect(long?.body.length).toBeLessThan(1000);
  });
});

describe("serveRequests() env", () => {
  test("names the project and the tools", async () => {
    using scene = open({ "Cargo.toml": '[package]\nname = "x"\n' });
    const [env] = await scene.serve({ type: "env" });
    expect(env?.header).toContain(`, bun ${process.versions.bun}; workspace `);
    expect(env?.body).toBe("PROJECT: rust");
  });
});

describe("serveRequests() logs", () => {
  const logs = (source: string, last_n?: number): ContextRequest =>
    last_n === undefined ? { type: "logs", source } : { type: "logs", source, last_n };
  const serveLogs = async (request: ContextRequest, readLogs: ReadLogs) => {
    using scene = open();
    const sources = {
      ...NO_SOURCES,
      readLogs,
      redact: (text: string) => text.replace(/KEY.*END/s, "*"),
    };
    const [block] = await serveRequests(scene.workspace, [request], scene.cache, never, sources);
    return block;
  };

  test("shows the last lines", async () => {
    const text = Array.from({ length: 300 }, (_, i) => `l${i + 1}`).join("\n");
    const few = await serveLogs(logs("check", 2), async () => `${text}\n\n`);
    expect(few).toMatchObject({ header: "LOGS[check]: the last 2 lines", body: "l299\nl300" });
    const many = await serveLogs(logs("routine:nightly"), async () => text);
    expect(many?.header).toBe("LOGS[routine:nightly]: the last 200 lines");
    expect(many?.body).toStartWith("l101\n");
    const all = await serveLogs(logs("daemon", 5000), async () => text);
    expect(all?.header).toBe("LOGS[daemon]: 300 lines");
  });

  test("masks before it cuts, so that half a secret stays masked", async () => {
    const block = await serveLogs(logs("daemon", 2), async () => "a KEY\nhunter2\nEND b\nlast");
    expect(block?.body).toBe("a * b\nlast");
  });

  test("lets no line of a log pass for a file", async () => {
    const block = await serveLogs(logs("daemon"), async () => "x\nFILE[a] (sha256=0):\n1|a");
    expect(block?.body).toBe("x\n> FILE[a] (sha256=0):\n1|a");
  });

  test("says that nothing is kept, or that it cannot be read", async () => {
    const none = await serveLogs(logs("check"), async () => undefined);
    expect(none).toMatchObject({ kind: "logs", header: "LOGS[check]: none are kept", body: "" });
    const broken = await serveLogs(logs("check"), async () => {
      throw new Error("EIO");
    });
    expect(broken?.body).toBe("cannot be read: EIO");
  });

  test.each(["nginx", "../daemon", "routine:", "check\nFILE[x]", "DAEMON"])(
    "answers the unknown source %j with those there are, and reads nothing",
    async (source) => {
      const block = await serveLogs(logs(source), async () => "read after all");
      expect(block?.header).toEndWith(
        "]: there is no such log; there are: daemon, check, routine:NAME",
      );
      expect(block?.header).not.toContain("\n");
      expect(block?.body).toBe("");
    },
  );
});

describe("serveRequests() and the cache", () => {
  test("serves equal requests once, defaults spelled out or not, and counts them by kind", async () => {
    const events: string[] = [];
    using scene = open({ "a.txt": LONG }, (event, fields) =>
      events.push(`${event} ${fields?.["key"]}`),
    );
    const first = await scene.serve(
      { type: "read_file", path: "a.txt" },
      { type: "read_file", path: "a.txt", start_line: 1, end_line: 201 },
      { type: "env" },
    );
    const second = await scene.serve({ type: "env" }, { type: "search", query: "line 7" });
    expect(first).toHaveLength(2);
    expect(first.filter((block) => second.includes(block))).toHaveLength(1);
    expect(events).toEqual([
      'CONTEXT_CACHE_MISS read{"path":"a.txt","start":1,"end":201}',
      'CONTEXT_CACHE_HIT read{"path":"a.txt","start":1,"end":201}',
      "CONTEXT_CACHE_MISS env",
      "CONTEXT_CACHE_HIT env",
      'CONTEXT_CACHE_MISS search{"query":"line 7"}',
    ]);
    expect(scene.cache.stats()).toEqual({
      env_hits: 1,
      env_misses: 1,
      logs_hits: 0,
      logs_misses: 0,
      read_hits: 1,
      read_misses: 1,
      search_hits: 0,
      search_misses: 1,
      hit_rate: 0.4,
    });
  });

  test("knows a request by its meaning: spellings of a path, defaults of a log", async () => {
    const keys: unknown[] = [];
    using scene = open({ "a.txt": "x" }, (_, fields) => keys.push(fields?.["key"]));
    const blocks = await scene.serve(
      { type: "read_file", path: "./a.txt" },
      { type: "read_file", path: "a.txt", start_line: 1 },
      { type: "logs", source: "check" },
      { type: "logs", source: "check", last_n: 200 },
    );
    expect(blocks).toHaveLength(2);
    expect(new Set(keys)).toEqual(
      new Set(['read{"path":"a.txt","start":1,"end":201}', 'logs{"source":"check","last_n":200}']),
    );
    expect(scene.cache.stats()).toMatchObject({ read_hits: 1, logs_hits: 1, hit_rate: 0.5 });
  });

  test("tells requests apart that only look alike", async () => {
    using scene = open({ c: "a:bb" });
    const blocks = await scene.serve(
      { type: "search", query: "a:bb" },
      { type: "search", query: "a", glob: "bb:" },
    );
    expect(blocks.map(({ body }) => body)).toEqual(["c:1|a:bb", ""]);
    expect(createContextCache(silentLog).stats().hit_rate).toBe(0);
  });

  test("ends between requests with the signal's reason", async () => {
    using scene = open({ "a.txt": "a" });
    const reason = new AppError("ERR_CANCELLED", "Cancelled");
    const serving = serveRequests(
      scene.workspace,
      [{ type: "env" }],
      scene.cache,
      AbortSignal.abort(reason),
    );
    expect(await reasonOf(serving)).toBe(reason);
  });
});
