import { describe, expect, test } from "bun:test";
import type { WaitingThere } from "../../../../src/channels/http/console/chat-facts.ts";
import {
  authorizeMessage,
  type MessageContext,
} from "../../../../src/channels/http/console/chats/authorize-message.ts";
import type { ParsedPress } from "../../../../src/channels/http/parse-request.ts";
import { refuse } from "../../../../src/channels/http/refuse.ts";
import { toCommand } from "../../../../src/protocol/command.ts";
import { decideIntent } from "../../../../src/protocol/intent.ts";

const SESSION = "http:mine";
const WAITING: Readonly<Record<WaitingThere["kind"], WaitingThere>> = {
  plan: { ref: "plan_1", kind: "plan" },
  "change set": { ref: "ap_1", digest: "d", kind: "change set" },
  call: { ref: "ap_2", digest: "d", kind: "call" },
};
const KINDS = ["plan", "change set", "call"] as const;
/** Every way to type a yes, and to run /apply. */
const YES = ["yes", "Да!", " ok. ", "好", "применяй"];
const APPLY = ["/apply", " /APPLY ", "/apply\t", "/apply\n", "/Apply"];
/** What asks for less than all of it, or for who knows what. */
const MORE = [
  "/apply now",
  "/apply only README.md",
  "/apply\tnow",
  "/Apply «да»",
  "yes, README.md",
];

interface Case {
  readonly waits?: WaitingThere["kind"] | undefined;
  readonly isGate?: boolean;
  readonly isFresh?: boolean;
  readonly isBusy?: boolean;
  readonly isShown?: boolean;
  readonly files?: readonly string[];
  /** Who says it shows something. */
  readonly isBound?: boolean;
}

function authorize(text: string, { waits, isShown = true, files, ...given }: Case) {
  const waiting = waits && WAITING[waits];
  const placed: ParsedPress[] = [];
  const { isGate = false, isFresh = true, isBusy = false, isBound = true } = given;
  const parts: MessageContext = {
    facts: {
      speaker: (sessionId) => ({ sessionId, userId: "owner" }),
      waiting: () => waiting,
      isBusy: () => isBusy,
      waitsForGate: () => isGate,
    },
    uploads: { find: () => ["inbox/a.txt"] },
    isFresh,
    isAway: false,
    prefix: "http:",
    place(read) {
      placed.push(read);
      return isGate && !isFresh ? refuse(403, () => "again") : read;
    },
  };
  const shown = waiting && isShown ? [waiting] : [];
  const message = { kind: "message", sessionId: SESSION, text, ...(isBound && { shown }) } as const;
  const decided = authorizeMessage({ ...message, ...(files && { files }) }, parts);
  return { status: decided instanceof Response ? decided.status : decided.kind, decided, placed };
}

test("the words of these tables are what they are for", () => {
  const kindOf = (text: string) => decideIntent(text, { hasPlan: true, isAsked: true }).kind;
  expect(YES.map(kindOf)).toEqual(YES.map(() => "apply_stored"));
  expect(APPLY.map((text) => toCommand(text)?.name)).toEqual(APPLY.map(() => "apply"));
});

describe.each([...YES, ...APPLY])("%j", (text) => {
  const isCommand = APPLY.includes(text);

  test.each(KINDS)(
    "is a press on a %s that is on the screen, which passes what a button has to",
    (waits) => {
      const { status, decided, placed } = authorize(text, { waits });
      if (isCommand && waits === "call") return expect(status).toBe(409);
      expect(status).toBe("press");
      const act = waits === "plan" ? "apply" : "approve";
      expect(decided).toMatchObject({ press: { act, ref: WAITING[waits].ref } });
      expect(placed).toMatchObject([{ isNamed: true, request: { press: { act } } }]);
    },
  );

  test.each(KINDS)("is nothing to a %s that is not", (waits) => {
    expect(authorize(text, { waits, isShown: false }).status).toBe(409);
  });

  test.each(KINDS)("opens no gate for an old login, whatever of a %s is shown", (waits) => {
    for (const isShown of [true, false]) {
      expect(authorize(text, { waits, isShown, isGate: true, isFresh: false }).status).toBe(403);
    }
  });

  test("is nothing where what runs may ask something by then", () => {
    expect(authorize(text, { isBusy: true }).status).toBe(409);
  });

  test("takes no files, whoever says it", () => {
    for (const isBound of [true, false]) {
      expect(authorize(text, { waits: "plan", files: ["up_1"], isBound }).status).toBe(422);
    }
  });
});

test.each(["undo", "Отмени", "помощь", "/ws notes", "redo"])("%j takes no files", (text) => {
  expect(authorize(text, { files: ["up_1"] }).status).toBe(422);
});

test("other words take them, and are a message", () => {
  const { decided } = authorize("look at this", { waits: "call", files: ["up_1"] });
  expect(decided).toMatchObject({
    kind: "message",
    attached: expect.stringContaining("inbox/a.txt"),
  });
});

test.each(MORE)("%j is a yes to nothing that waits", (text) => {
  for (const waits of KINDS) expect(authorize(text, { waits }).status).toBe("message");
});

test("a no rejects what was asked, and is a word where a plan waits", () => {
  expect(authorize("нет", { waits: "call" }).decided).toMatchObject({ press: { act: "reject" } });
  expect(authorize("no", { waits: "plan" }).status).toBe("message");
});
