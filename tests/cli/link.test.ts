import { describe, expect, test } from "bun:test";
import type { DaemonLine } from "../../src/channels/socket/wire.ts";
import { createLink, type LinkLine } from "../../src/cli/chat/link.ts";
import type { DaemonClient } from "../../src/cli/daemon-client.ts";
import { createQueue } from "../../src/cli/queue.ts";

function open(): DaemonClient & {
  readonly sent: unknown[];
  say(line: DaemonLine): void;
  end(): void;
} {
  const lines = createQueue<DaemonLine>();
  const sent: unknown[] = [];
  return {
    sent,
    say: (line) => lines.push(line),
    end: () => lines.end(),
    send: (line) => void sent.push(line),
    lines,
    [Symbol.dispose]: () => lines.end(),
  };
}

describe("createLink()", () => {
  test("says that the daemon is gone, comes back with growing waits, and sends to the new one", async () => {
    const [first, second] = [open(), open()];
    const waits: number[] = [];
    const answers = [...Array<undefined>(6).fill(undefined), second];
    const end = new AbortController();
    const link = createLink(
      first,
      async () => answers.shift(),
      { sleep: async (ms) => void waits.push(ms) },
      end.signal,
    );
    const seen: LinkLine[] = [];
    first.say({ type: "token", content: "a" });
    first.end();
    for await (const line of link.lines) {
      seen.push(line);
      if (line.type === "lost") link.send({ type: "status" });
      if (line.type !== "back") continue;
      link.send({ type: "status" });
      second.say({ type: "done" });
      second.end();
      end.abort();
    }
    expect(seen.map(({ type }) => type)).toEqual(["token", "lost", "back", "done"]);
    expect(waits).toEqual([250, 500, 1000, 2000, 4000, 5000, 5000]);
    expect([first.sent, second.sent]).toEqual([[], [{ type: "status" }]]);
  });

  test("ends with its signal while it waits", async () => {
    const first = open();
    const end = new AbortController();
    const link = createLink(
      first,
      async () => undefined,
      { sleep: async () => end.abort() },
      end.signal,
    );
    first.end();
    const types = [];
    for await (const { type } of link.lines) types.push(type);
    expect(types).toEqual(["lost"]);
  });
});
