import { describe, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import fc from "fast-check";
import { createConversation } from "../../src/agent/conversation.ts";
import { hidePlaces } from "../../src/agent/filter-event.ts";
import type { AgentEvent } from "../../src/channels/channel.ts";
import { withoutPlaces } from "../../src/channels/failure-lines.ts";
import { ANNA, ANNA_ELSEWHERE, collectReply, openScene, withDaemon } from "./scene.ts";

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
    ['"https://a.example/x/y" and (http://b/c/d)', '"https://a.example/x/y" and (http://b/c/d)'],
    [
      `Cannot read the secret "file:/srv/no such/key file.txt": open '/srv/no such/key file.txt'`,
      `Cannot read the secret "file:…/key file.txt": open '…/key file.txt'`,
    ],
    ["see file:///srv/x/y.txt, or ro:/srv/x/z", "see file://…/y.txt, or ro:…/z"],
    ["open '/home/o'brien/no such/b.txt'", "open '…/b.txt'"],
    ["无法读取：/srv/x/a（/srv/y/b）", "无法读取：…/a（…/b）"],
    ["/srv/my own/config.toml:5: providers.p: no\nx", "…/config.toml:5: providers.p: no\nx"],
  ])("%s", (text, shown) => {
    expect(withoutPlaces(text)).toBe(shown);
  });

  test("leaves nothing of the folders above a file, however it is quoted", () => {
    const name = fc.stringMatching(/^[\w][\w .-]{0,11}[\w]$/u);
    const quotes = fc.constantFrom(['"', '"'], ["'", "'"], ["«", "»"], ["“", "”"], ["‘", "’"]);
    const schemes = fc.constantFrom("", "file:", "file://", "ro:");
    fc.assert(
      fc.property(
        fc.array(name, { minLength: 2, maxLength: 6 }),
        quotes,
        schemes,
        (steps, [open, close], scheme) => {
          const path = `${scheme}/${steps.join("/")}`;
          const text = withoutPlaces(`Cannot open ${open}${path}${close}: gone`);
          expect(text).toBe(`Cannot open ${open}${scheme}…/${steps.at(-1)}${close}: gone`);
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

test.each([
  [ANNA, "a group"],
  [{ ...ANNA, sessionId: `${ANNA.sessionId}:12` }, "a topic of a group"],
  [ANNA_ELSEWHERE, undefined],
  [{ sessionId: "terminal:1", userId: "owner" }, undefined],
] as const)("%j: what fails for the owner shows no folder of theirs in %s", async (who, group) => {
  await using scene = await openScene();
  rmSync(scene.folder, { recursive: true });
  const agent = withDaemon(scene.app.current.agent, { isOwner: () => true });
  const conversation = createConversation(() => agent);
  const reply = await collectReply((emit) => conversation.message(who, "/history", emit));
  expect(JSON.stringify(reply.events).includes(scene.dir)).toBe(group === undefined);
  expect(reply.last("error").message).toContain("/notes");
});
