import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { hidePlaces } from "../../src/agent/filter-event.ts";
import type { AgentEvent } from "../../src/channels/channel.ts";
import { withoutPlaces } from "../../src/channels/failure-lines.ts";

describe("withoutPlaces()", () => {
  test.each([
    ['there is no folder "/home/anna smith/notes"', 'there is no folder "…/notes"'],
    [
      "EACCES: permission denied, open '/srv/x/.papa-yu/a'",
      "EACCES: permission denied, open '…/a'",
    ],
    ["Cannot read /srv/x/config.toml: gone", "Cannot read …/config.toml: gone"],
    ["remove its entry in “/srv/x/config.toml”", "remove its entry in “…/config.toml”"],
    ['"a/b.txt" does not fit; /undo takes it back', '"a/b.txt" does not fit; /undo takes it back'],
    ["see https://a.example/x/y", "see https://a.example/x/y"],
  ])("%s", (text, shown) => {
    expect(withoutPlaces(text)).toBe(shown);
  });

  test("leaves nothing of the folders above a file, however it is quoted", () => {
    const name = fc.stringMatching(/^[\w][\w .-]{0,11}[\w]$/u);
    const quotes = fc.constantFrom(['"', '"'], ["'", "'"], ["«", "»"], ["“", "”"]);
    fc.assert(
      fc.property(
        fc.array(name, { minLength: 2, maxLength: 6 }),
        quotes,
        (steps, [open, close]) => {
          const text = withoutPlaces(`Cannot open ${open}/${steps.join("/")}${close}: gone`);
          expect(text).toBe(`Cannot open ${open}…/${steps.at(-1)}${close}: gone`);
        },
      ),
    );
  });
});

test("hidePlaces() leaves what did not fail as it is", () => {
  const events: readonly AgentEvent[] = [
    { kind: "content", text: '"/srv/x/a" is what you asked about' },
    { kind: "progress", text: "/srv/x/a" },
    { kind: "done" },
  ];
  for (const event of events) expect(hidePlaces(event)).toBe(event);
  const pending = [{ path: "a", reason: "EACCES: open '/srv/x/a'" }];
  const outcome = {
    ok: false,
    status: "incomplete",
    workspace: "x",
    changes: [],
    pending,
  } as const;
  expect(hidePlaces({ kind: "outcome", outcome })).toMatchObject({
    outcome: { ...outcome, pending: [{ path: "a", reason: "EACCES: open '…/a'" }] },
  });
});
