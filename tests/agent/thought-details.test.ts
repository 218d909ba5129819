import { describe, expect, test } from "bun:test";
import { event, type ModelRequest, type Reply } from "../support/model-server.ts";
import { done, isAsked, openWith, refuse, saidIn } from "./asides-scene.ts";

describe("thoughts in the form of a router", () => {
  /** Entries as a stream brings them, by the chunks. */
  const STREAMED: readonly (readonly object[])[] = [
    [{ type: "reasoning.text", text: "Look ", format: "f", index: 0 }],
    [{ type: "reasoning.text", text: "around", signature: null, index: 0 }],
    [{ type: "reasoning.text", signature: "c2ln", index: 0 }],
    [{ type: "reasoning.text", text: "Then", index: 1 }],
    [
      { type: "reasoning.encrypted", data: "ZW5j", id: "e1", index: 2 },
      { type: "reasoning.encrypted", data: "bW9y", id: "e2", index: 3 },
    ],
    [{ type: "reasoning.summary", summary: "It ", index: 4 }],
    [{ type: "reasoning.summary", summary: "looked", index: 4 }],
  ];
  const WHOLE = [
    { type: "reasoning.text", text: "Look around", format: "f", index: 0, signature: "c2ln" },
    { type: "reasoning.text", text: "Then", index: 1 },
    { type: "reasoning.encrypted", data: "ZW5j", id: "e1", index: 2 },
    { type: "reasoning.encrypted", data: "bW9y", id: "e2", index: 3 },
    { type: "reasoning.summary", summary: "It looked", index: 4 },
  ];

  function detailed(entries: readonly unknown[], call: boolean): Reply {
    const said = entries.map((reasoning_details) => event({ delta: { reasoning_details } }));
    const last = call
      ? { tool_calls: [{ index: 0, id: "c", function: { name: "look", arguments: '{"q":"1"}' } }] }
      : { content: "Done." };
    return {
      kind: "raw",
      chunks: [...said, event({ delta: last, finish_reason: "stop" }), "data: [DONE]\n\n"],
    };
  }

  const detailsIn = (request: ModelRequest | undefined) =>
    request && saidIn(request).map((each) => each.reasoning_details);

  test("come back as they were, put together, in the turn and in later ones", async () => {
    await using scene = await openWith((request) => detailed(STREAMED, isAsked(request)));
    await scene.say("look");
    await scene.say("look again");
    expect(detailsIn(scene.server.requests[1])).toEqual([WHOLE]);
    expect(detailsIn(scene.server.requests[3])).toEqual([WHOLE, WHOLE, WHOLE]);
  });

  test("come back as they are of a server that does not stream", async () => {
    const two = [
      { type: "reasoning.text", text: "a" },
      { type: "reasoning.text", text: "b" },
    ];
    const call = { id: "c", type: "function", function: { name: "look", arguments: '{"q":"1"}' } };
    const message = { role: "assistant", reasoning_details: two, tool_calls: [call] };
    const document = { choices: [{ index: 0, message, finish_reason: "tool_calls" }] };
    await using scene = await openWith((request) =>
      isAsked(request) ? { kind: "json", document } : done,
    );
    await scene.say("look");
    expect(detailsIn(scene.server.requests[1])).toEqual([two]);
  });

  test.each<[string, readonly unknown[]]>([
    ["more than goes back", [[{ type: "reasoning.encrypted", data: "s".repeat(33 * 1024) }]]],
    [
      "more in many pieces",
      Array.from({ length: 40 }, () => [{ type: "reasoning.text", text: "t".repeat(1024) }]),
    ],
    ["a secret", [[{ type: "reasoning.text", text: "sk-proj-abcdefghijklmnopqrstuvwx" }]]],
    ["no list", ["words", 7, { type: "reasoning.text" }, [], ["words"]]],
  ])("stay away where they are %s", async (_, entries) => {
    await using scene = await openWith((request) => detailed(entries, isAsked(request)));
    expect((await scene.say("look")).text).toBe("Done.");
    expect(detailsIn(scene.server.requests[1])).toEqual([undefined]);
  });

  test("come back whole in many small pieces", async () => {
    const pieces = Array.from({ length: 5000 }, () => [
      { type: "reasoning.text", text: "word", format: "f", index: 0 },
    ]);
    await using scene = await openWith((request) => detailed(pieces, isAsked(request)));
    await scene.say("look");
    const text = "word".repeat(5000);
    const whole = [{ type: "reasoning.text", text, format: "f", index: 0 }];
    expect(detailsIn(scene.server.requests[1])).toEqual([whole]);
  });

  test("are left out where a server refuses them", async () => {
    await using scene = await openWith((request) =>
      request.text.includes("reasoning_details")
        ? refuse("messages.1: reasoning_details: Extra inputs are not permitted")
        : detailed(STREAMED, isAsked(request)),
    );
    for (const text of ["look", "look again"]) expect((await scene.say(text)).text).toBe("Done.");
    expect(scene.server.requests).toHaveLength(5);
  });
});
