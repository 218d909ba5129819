import { type Reply, startModelServer } from "../tests/support/model-server.ts";
import { startResponsesServer } from "./responses-server.ts";

/** How a program is asked to read a file: the tool that it has for this, and what it is called with. */
export type Look = (file: string) => { readonly name: string; readonly arguments: object };

/** What the model does in one run. */
export interface Plan {
  readonly look: Look;
  /** How many files it wants to see before it answers. */
  readonly iterations: number;
  /** Called with the first request. */
  readonly onFirst?: () => void;
}

/** What the model saw of one run. */
export interface Seen {
  readonly arrivedAt: number[];
  readonly bytes: number[];
}

/** One scripted model behind both APIs, for one program at a time. */
export interface PeerModel extends AsyncDisposable {
  readonly chatUrl: string;
  readonly responsesUrl: string;
  follow(plan: Plan): Seen;
}

/** The file that is read in an iteration, and what it holds. */
export function fileOf(iteration: number): { readonly name: string; readonly text: string } {
  return { name: `f${iteration}.txt`, text: `the words of file ${iteration}.\n` };
}

/** Starts the model; a request without what the file of the last iteration holds is an error. */
export function startPeerModel(): PeerModel {
  let plan: Plan = { look: () => ({ name: "", arguments: {} }), iterations: 0 };
  let seen: Seen = { arrivedAt: [], bytes: [] };
  const reply = (text: string, results: number): Extract<Reply, { kind: "text" | "tools" }> => {
    if (seen.arrivedAt.push(performance.now()) === 1) plan.onFirst?.();
    seen.bytes.push(Buffer.byteLength(text));
    const last = fileOf(results - 1).text.trim();
    if (results > 0 && !text.includes(last)) return { kind: "text", text: "It was not read." };
    if (results >= plan.iterations) return { kind: "text", text: "Done." };
    const call = { ...plan.look(fileOf(results).name), id: `call_${results}` };
    return { kind: "tools", calls: [call] };
  };
  const chat = startModelServer(({ text, body }) =>
    reply(text, body.messages.filter(({ role }) => role === "tool").length),
  );
  const responses = startResponsesServer(({ text, results }) => reply(text, results));
  return {
    chatUrl: chat.url,
    responsesUrl: responses.url,
    follow(next) {
      plan = next;
      seen = { arrivedAt: [], bytes: [] };
      return seen;
    },
    async [Symbol.asyncDispose]() {
      await chat.stop();
      await responses[Symbol.asyncDispose]();
    },
  };
}
