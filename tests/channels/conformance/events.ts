import type { AgentEvent } from "../../../src/channels/channel.ts";
import { previewOf } from "../socket/bench.ts";

type Kind = AgentEvent["kind"];

/** An event with what a person must read of it; `asks` is what an answer to it must name. */
interface Shown<K extends Kind> {
  readonly event: Extract<AgentEvent, { kind: K }>;
  readonly shows: readonly string[];
  readonly asks?: string;
}

/** Too long for one look: every line counts. */
const LONG = Array.from({ length: 3000 }, (_, i) => `line ${i} of it`).join("\n");

/** One of each kind: a new kind of event is an error here until every channel shows it. */
export const EVENTS: { readonly [K in Kind]: Shown<K> } = {
  content: { event: { kind: "content", text: "some words" }, shows: ["some words"] },
  tool_call: { event: { kind: "tool_call", id: "c1", name: "read_file", args: "{}" }, shows: [] },
  tool_result: {
    event: { kind: "tool_result", id: "c1", name: "read_file", ok: true, content: "1|x" },
    shows: [],
  },
  choice: {
    event: {
      kind: "choice",
      text: "Workspaces:\nnotes\nsite",
      options: [{ label: "site", press: { act: "use_ws", ref: "site" } }],
    },
    shows: ["notes", "site"],
  },
  progress: { event: { kind: "progress", text: "thinking" }, shows: [] },
  check_output: { event: { kind: "check_output", text: "12 pass" }, shows: [] },
  counted: { event: { kind: "counted", counted: 3, of: 9 }, shows: [] },
  plan: {
    event: { kind: "plan", planId: "plan_1", workspace: "notes", summary: "1. fix the sum" },
    shows: ["1. fix the sum"],
  },
  research: {
    event: {
      kind: "research",
      researchId: "res_1",
      workspace: "notes",
      query: "what holds",
      answerMd: "this holds",
      notes: "that is open",
      sources: [{ url: "https://a.example/x", title: "A page" }],
      autoUsed: false,
    },
    shows: ["what holds", "this holds", "that is open", "A page"],
  },
  approval: {
    event: { kind: "approval", approvalId: "ap_1", preview: previewOf(`+first\n${LONG}\n`) },
    shows: [`+first\n${LONG}`, "a.txt", "notes"],
    asks: "ap_1",
  },
  call_approval: {
    event: {
      kind: "call_approval",
      approvalId: "ap_2",
      tool: "run_command",
      args: { argv: ["make"] },
      shown: `make everything\n${LONG}`,
      reason: "it changes things",
    },
    shows: ["run_command", `make everything\n${LONG}`, "it changes things"],
    asks: "ap_2",
  },
  call_result: {
    event: { kind: "call_result", tool: "run_command", ok: false, text: `it printed\n${LONG}` },
    shows: ["run_command", `it printed\n${LONG}`],
  },
  file: {
    event: {
      kind: "file",
      fileId: "file_1",
      workspace: "notes",
      path: "out/report.pdf",
      absolute: "/nowhere/out/report.pdf",
      sha256: "0".repeat(64),
      sizeBytes: 2048,
    },
    shows: ["out/report.pdf"],
  },
  outcome: {
    event: {
      kind: "outcome",
      outcome: { ok: true, status: "committed", workspace: "notes", txId: "tx_1", changes: [] },
    },
    shows: ["Applied in notes"],
  },
  error: {
    event: { kind: "error", code: "LLM_REQUEST", message: "no answer came" },
    shows: ["LLM_REQUEST", "no answer came"],
  },
  done: { event: { kind: "done" }, shows: [] },
};

/** What people see before they say yes, or take as a fact: nothing in it may hide. */
export const EXACT: ReadonlySet<Kind> = new Set<Kind>([
  "plan",
  "research",
  "approval",
  "call_approval",
  "file",
  "outcome",
]);

/** Orders to a terminal, a browser, an event stream and a reader of JSON lines; and what hides. */
export const EVIL =
  '\x1b[2J\x1b]0;t\x07\x9b8m\rsafe\b\b\0<script>x</script></pre><a href="tg://x">a</a>\n\ndata: [DONE]\n\n{"type":"done"}\n: x\u202e\u200b';

/** The event with `more` at the end of every text of it that is not an id of ours. */
export function spoil(event: AgentEvent, more: string): AgentEvent {
  const own = new Set(
    "kind status code sha256 approvalId planId researchId txId fileId".split(" "),
  );
  const put = (key: string, value: unknown) =>
    typeof value === "string" && !own.has(key) ? value + more : value;
  return JSON.parse(JSON.stringify(event, put));
}
