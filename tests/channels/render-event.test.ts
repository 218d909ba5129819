import { describe, expect, test } from "bun:test";
import type { AgentEvent } from "../../src/channels/channel.ts";
import { toData } from "../../src/channels/http/to-data.ts";
import { renderEvent } from "../../src/channels/render-event.ts";
import { isErrorCode } from "../../src/core/error-code-prefix.ts";
import { ERROR_CODES } from "../../src/core/error-codes.ts";
import { textsIn } from "../../src/texts/texts.ts";
import { EVENTS, EVIL, EXACT, spoil } from "./conformance/events.ts";

/** Everything that a terminal would obey. */
const OBEYED = /[^\P{Cc}\n\t]/u;
const HIDDEN = /[\u202e\u200b]/u;
/** What is no text for people. */
const SILENT: ReadonlySet<AgentEvent["kind"]> = new Set(["tool_result", "counted", "done"]);

describe.each(["en", "ru", "zh"] as const)("renderEvent() in %s", (language) => {
  const texts = textsIn(language);

  test.each(Object.values(EVENTS))("gives all of $event.kind, and nothing to obey", (row) => {
    const { text } = renderEvent(row.event, texts);
    expect(text === "").toBe(SILENT.has(row.event.kind));
    if (language === "en") for (const shown of row.shows) expect(text).toContain(shown);
    const spoilt = renderEvent(spoil(row.event, EVIL), texts).text;
    expect(spoilt).not.toMatch(OBEYED);
    if (EXACT.has(row.event.kind)) expect(spoilt).not.toMatch(HIDDEN);
  });

  test.each(Object.values(EVENTS))("asks about $event.kind what it says it asks", (row) => {
    const { question, buttons } = renderEvent(row.event, texts);
    expect(question?.approvalId).toBe(row.asks);
    if (row.asks === undefined) return;
    expect(buttons.map(({ press }) => press)).toEqual([
      { act: "approve", ref: row.asks },
      { act: "reject", ref: row.asks },
    ]);
  });
});

test.each([
  [0, "0 B"],
  [1023, "1023 B"],
  [1024, "1.0 KB"],
  [1_048_575, "1024.0 KB"],
  [1_048_576, "1.0 MB"],
])("renderEvent() says of a file of %d bytes that it has %s", (sizeBytes, size) => {
  const { text } = renderEvent({ ...EVENTS.file.event, sizeBytes }, textsIn("en"));
  expect(text).toContain(size);
});

test.each(["before", "after"] as const)(
  "renderEvent() tells programs of checks that nobody has seen and that run %s the change",
  (unseen) => {
    const { event } = EVENTS.approval;
    const checks = [{ command: "npm test", from: "package.json: test" }, { command: "make check" }];
    const seen = { ...event.preview, checks };
    const asked = { ...event, preview: { ...seen, unseen } };
    const args = { unseen, unseen_checks: ["npm test", "make check"] };
    expect(renderEvent(asked, textsIn("en")).question?.args).toMatchObject(args);
    const [line] = toData(asked, textsIn("en")).slice(-1);
    expect(line).toMatchObject({ approval: args });
    const known = renderEvent({ ...event, preview: seen }, textsIn("en")).question?.args;
    expect(Object.keys(known ?? {}).filter((key) => key.startsWith("unseen"))).toEqual([]);
  },
);

describe.each(["en", "ru", "zh"] as const)("a failure in %s", (language) => {
  const texts = textsIn(language);
  const message = "no connection; look at base_url";

  test.each(Object.keys(ERROR_CODES).filter(isErrorCode))(
    "is told over HTTP as in a terminal: %s",
    (code) => {
      const exact = { kind: "error", code, message } as const;
      for (const event of [exact, { ...exact, said: "сказано 说明" }]) {
        const [document] = toData(event, texts);
        expect(document).toHaveProperty("error_category", code);
        expect(renderEvent(event, texts).text).toBe(`${code}: ${String(document?.["error"])}`);
      }
      const [told] = toData(exact, texts);
      expect(String(told?.["error"]).startsWith("no connection")).toBe(language === "en");
    },
  );
});
