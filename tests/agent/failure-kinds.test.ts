import { describe, expect, test } from "bun:test";
import type { Language } from "../../src/core/language.ts";
import type { ToolFailure } from "../../src/tools/tool.ts";
import { childProgram } from "../support/child-program.ts";
import { MCP_SERVER } from "../support/mcp-server.ts";
import { type Reply, startModelServer } from "../support/model-server.ts";
import { cutShort } from "../support/patience.ts";
import { KINDS, RUNS, type Withdrawn } from "./failure-words.ts";
import { openScene } from "./scene.ts";

const PROGRAM = await childProgram(Bun.pathToFileURL(MCP_SERVER));

/** A way to fail that the real tools have, with everything behind them on loopback. */
interface Row {
  /** The call of a round; rounds differ, for a repeat is no call. */
  readonly call: (url: string, round: number) => { readonly name: string; readonly args: unknown };
  readonly code: ToolFailure["errorCode"];
  /** Without it as the code has it. */
  readonly withdrawn?: Withdrawn;
  /** How often it is tried, where that is less than rounds. */
  readonly runs?: number;
  /** What the model reads first. */
  readonly told: RegExp;
  /** What the person reads besides the sentence of the code. */
  readonly shown?: RegExp;
  readonly config?: (url: string) => string;
  /** A server that is cut off: the limit for it, in place of `config`. */
  readonly cutAt?: (seconds: number) => () => string;
}

const fetching = (path: string) => (url: string, round: number) => ({
  name: "http_request",
  args: { url: `${url}${path}?n=${round}` },
});
const reading = (path: string) => (_url: string, round: number) => ({
  name: "read_file",
  args: { path, start_line: round + 1 },
});
const ofServer = (tool: string) => (_url: string, round: number) => ({
  name: `mcp__test__${tool}`,
  args: { text: `these words of mine, part ${round}` },
});
const server = (timeoutS: number) => () =>
  `[mcp.servers.test]
command = "${process.execPath}"
args = ${JSON.stringify([PROGRAM, ""])}
timeout_s = ${timeoutS}
read_only_tools = ["broken", "die", "hang"]`;
const research = (more: string) => (url: string) =>
  `[online_research]\nenabled = true\nsearch = "searxng"\nbase_url = "${url}${more}"`;
const searching = (_url: string, round: number) => ({
  name: "web_search",
  args: { query: `what is ${round}` },
});

const ROWS: Readonly<Record<string, Row>> = {
  "a page that is not there": {
    call: fetching("/404"),
    code: "not_found",
    told: /status 404\n\n[^]*nothing here/u,
    shown: /status 404/u,
  },
  "a page that is not for us": { call: fetching("/403"), code: "denied", told: /status 403/u },
  "a request that does not fit": {
    call: fetching("/400"),
    code: "invalid_args",
    told: /status 400/u,
  },
  "a request that is too large": { call: fetching("/413"), code: "too_large", told: /status 413/u },
  "a server that asks for time": {
    call: fetching("/429"),
    code: "rate_limited",
    told: /status 429/u,
    shown: /status 429/u,
  },
  "a server that is down": {
    call: fetching("/503"),
    code: "unavailable",
    told: /status 503/u,
    shown: /status 503/u,
  },
  "a server that is too slow": { call: fetching("/504"), code: "timeout", told: /status 504/u },
  "nobody at the address": {
    call: (_url, round) => ({
      name: "http_request",
      args: { url: `http://127.0.0.1:9/?n=${round}` },
    }),
    code: "unavailable",
    told: /Cannot fetch "http:\/\/127\.0\.0\.1:9\/"/u,
  },
  "a map that asks for time": {
    call: (_url, round) => ({ name: "search_places", args: { location: `Lisbon ${round}` } }),
    code: "rate_limited",
    told: /status 429/u,
    config: (url) => `[places]\nnominatim_url = "${url}/429"\noverpass_url = "${url}/503"`,
  },
  "a map that refuses us": {
    call: (_url, round) => ({ name: "search_places", args: { location: `Lisbon ${round}` } }),
    code: "unavailable",
    withdrawn: "at once",
    told: /status 403/u,
    config: (url) => `[places]\nnominatim_url = "${url}/403"\noverpass_url = "${url}/503"`,
  },
  "a search that is down": {
    call: searching,
    code: "unavailable",
    told: /Cannot search with "searxng"/u,
    config: research("/503"),
  },
  "a search whose key is wrong": {
    call: searching,
    code: "unavailable",
    withdrawn: "at once",
    told: /Cannot search with "searxng"/u,
    config: research("/403"),
  },
  "a file that is elsewhere": {
    call: reading("notes/plan.md"),
    code: "not_found",
    told: /did you mean "docs\/plan\.md"/u,
  },
  "a file out of the folder": { call: reading("../x"), code: "denied", told: /leaves the folder/u },
  "a tool that is not there": {
    call: (_url, round) => ({ name: "read_fil", args: { path: `${round}` } }),
    code: "not_found",
    told: /there is no tool "read_fil"; did you mean "read_file"/u,
    shown: /there is no tool "read_fil"; did you mean "read_file"[^,]*$/u,
  },
  "arguments that are no JSON": {
    call: (_url, round) => ({ name: "read_file", args: `{"path": ${"x".repeat(round)}` }),
    code: "invalid_args",
    told: /arguments are not a JSON object/u,
  },
  "arguments of another type": {
    call: (_url, round) => ({ name: "read_file", args: { path: round } }),
    code: "invalid_args",
    told: /"path" must be of type string/u,
  },
  "a server's tool that says no": {
    call: ofServer("broken"),
    code: "internal",
    withdrawn: "never",
    told: /The tool reports:/u,
    config: server(30),
  },
  "a server that dies": {
    call: ofServer("die"),
    code: "internal",
    told: /out of memory|exit code 3/u,
    config: server(30),
  },
  "a server that hangs": {
    call: ofServer("hang"),
    code: "timeout",
    told: /it took too long and was ended/u,
    cutAt: server,
  },
};

/** Answers with the status that the path names. */
function startSite() {
  const site = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: ({ url }) => {
      const [, status = "404"] = /^\/(\d{3})/u.exec(new URL(url).pathname) ?? [];
      return new Response("nothing here", { status: Number(status) });
    },
  });
  return { url: site.url.origin, [Symbol.asyncDispose]: () => site.stop(true) };
}

/** What only a model is to read, or what a guard or a wrapping says of itself. */
const NOT_FOR_PEOPLE =
  /this very call|not there in this turn|withdrawn for this turn|Error \(|Do not|<<<|\bdata, not\b/u;

async function chatOf({ call, config = () => "" }: Row, language: Language) {
  await using site = startSite();
  let round = 0;
  const model = startModelServer(({ body }): Reply => {
    const last = body.messages.at(-1)?.content ?? "";
    if (last.includes("withdrawn for this turn")) return { kind: "text", text: "All is well." };
    const { name, args } = call(site.url, round++);
    return { kind: "tools", calls: [{ name, arguments: args }] };
  });
  await using _ = { [Symbol.asyncDispose]: () => model.stop() };
  await using scene = await openScene({
    files: { "docs/plan.md": "# Plan\n" },
    isOnlyTurn: true,
    config: `[default]
provider = "m"
language = "${language}"
[providers.m]
base_url = "${model.url}"
model = "x"
[security]
autonomy = "full"
http_allowed_hosts = ["127.0.0.1"]
${config(site.url)}`,
  });
  // The person names all of it: what a model composes after reading would be asked about.
  const named = [0, 1, 2].map((each) => wordsOf(call(site.url, each).args)).join(" ");
  const reply = await scene.say(`Look at ${named}`);
  const told = model.requests.flatMap(({ body }) => {
    const last = body.messages.at(-1);
    return last?.role === "tool" ? [String(last.content)] : [];
  });
  return { reply, told };
}

function wordsOf(args: unknown): string {
  return typeof args === "object" && args !== null
    ? Object.entries(args).flat().join(" ")
    : String(args);
}

/** The limit is one for the start of a server, too, for which a busy machine needs its time. */
async function cutOff(row: Row, cutAt: NonNullable<Row["cutAt"]>, language: Language) {
  let isLate = false;
  return cutShort(
    async (limitMs) => {
      const chat = await chatOf({ ...row, config: cutAt(Math.ceil(limitMs / 1000)) }, language);
      isLate = chat.told.some((each) => !/^Error \(timeout\)|withdrawn for this turn/u.test(each));
      return chat;
    },
    () => !isLate,
  );
}

describe.each(["en", "ru", "zh"] as const)("in %s, what is told of", (language) => {
  test.each(Object.keys(ROWS))("%s", async (what) => {
    const row = ROWS[what];
    if (!row) throw new Error(`no ${what}`);
    const { code, withdrawn = KINDS[code].withdrawn, runs, told, shown } = row;
    const chat = await (row.cutAt ? cutOff(row, row.cutAt, language) : chatOf(row, language));
    expect(chat.told[0]).toStartWith(`Error (${code}): `);
    expect(chat.told[0]).toMatch(told);
    const executed = chat.told.filter((each) => each.startsWith(`Error (${code}): `)).length;
    const { reply } = chat;
    const error = reply.kinds.includes("error") ? reply.last("error") : undefined;
    const read = error?.message ?? reply.text;
    expect(read).toContain(KINDS[code].said[language]);
    if (shown) expect(read).toMatch(shown);
    expect(read).not.toMatch(NOT_FOR_PEOPLE);
    expect(read).not.toContain("``");
    if (withdrawn === "never") {
      // The last round's answer is not sent: the turn is over.
      expect([error?.code, executed]).toEqual(["tool_execution_error", runs ?? 2]);
    } else {
      expect([error, executed]).toEqual([undefined, RUNS[withdrawn]]);
      expect(chat.told.at(-1)).toContain("is withdrawn for this turn");
      expect(reply.text).toEndWith("All is well.");
    }
  });
});
