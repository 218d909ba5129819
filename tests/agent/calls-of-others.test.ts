import { expect, test } from "bun:test";
import { type ModelRequest, type Reply, startModelServer } from "../support/model-server.ts";
import { openScene } from "./scene.ts";
import { tool } from "./turn-play.ts";

const pay = { name: "pay", arguments: { q: "1" }, id: "call_abc-123" };

/** Takes ids of exactly nine letters and digits, as Mistral does, and one result for each call. */
function refusal({ body: { messages } }: ModelRequest): Reply | undefined {
  const calls = messages.flatMap(({ tool_calls = [] }) => tool_calls.map(({ id }) => id));
  const results = messages.flatMap(({ tool_call_id: id }) => (id === undefined ? [] : [id]));
  const bad = [...calls, ...results].find((id) => !/^[A-Za-z0-9]{9}$/u.test(id));
  const message =
    bad === undefined ? "Not the same number of calls and results" : `Tool call id was ${bad}`;
  const isGood = bad === undefined && calls.toSorted().join() === results.toSorted().join();
  return isGood ? undefined : { kind: "status", status: 400, body: { message } };
}

function toConfig(urls: readonly string[]): string {
  const providers = urls.map((url, n) => `[providers.p${n}]\nbase_url = "${url}"\nmodel = "m"\n`);
  const others = urls.slice(1).map((_, n) => `"p${n + 1}"`);
  return `[default]
provider = "p0"
[reliability]
max_retries = 0
fallback_providers = [${others.join()}]
${providers.join("")}`;
}

const paying = tool("pay", () => ({ ok: true, content: "paid" }), "change");
const looking = tool("pay", () => ({ ok: true, content: "seen" }));

test("a server that takes ids of its own form alone answers behind a call that was approved", async () => {
  await using server = startModelServer((request) => {
    const { messages } = request.body;
    const said = messages.findLast(({ role }) => role === "user")?.content ?? "";
    if (said.includes("pay it") && messages.at(-1)?.role === "user") {
      return refusal(request) ?? { kind: "tools", calls: [pay] };
    }
    return refusal(request) ?? { kind: "text", text: "Done." };
  });
  using scene = await openScene({ config: toConfig([server.url]), tools: [paying] });
  const { approvalId } = (await scene.say("pay it")).last("call_approval");
  expect((await scene.press("approve", approvalId)).text).toContain("Done.");
  expect((await scene.say("and now?")).text).toContain("Done.");
});

test("a fallback that takes ids of its own form alone goes on with the calls of another", async () => {
  await using first = startModelServer([
    { kind: "tools", calls: [pay] },
    { kind: "status", status: 500 },
  ]);
  await using second = startModelServer(
    (request) => refusal(request) ?? { kind: "text", text: "Done." },
  );
  using scene = await openScene({ config: toConfig([first.url, second.url]), tools: [looking] });
  expect((await scene.say("look")).text).toContain("Done.");
  expect(second.requests).toHaveLength(1);
});
