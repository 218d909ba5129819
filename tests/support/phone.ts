import type { Language } from "../../src/core/language.ts";
import type { BotApiServer, SentMessage } from "./bot-api-server.ts";

/** One person's phone on a bot: it writes, presses, and keeps all that was to be seen. */
export interface Phone {
  /** Writes, and waits for an answer that `text` is in. */
  say(text: string, answer: string | RegExp): Promise<SentMessage>;
  /** Presses the newest button of this label, and waits likewise. */
  tap(label: string, answer: string | RegExp): Promise<SentMessage>;
  /** Presses a button that was seen before, and gives what pops up; `userId` may be another's. */
  pressAgain(message: SentMessage, index: number, userId?: number): Promise<string>;
  /** The next message with these words, whatever it answers. */
  waitForText(answer: string | RegExp): Promise<SentMessage>;
  /** What was written, shown and pressed so far, for people. */
  transcript(): string;
  /** Everything that the bot showed: messages as HTML, labels of buttons, texts that popped up. */
  shown(): readonly string[];
}

/** Takes the phone of `owner`, who talks to the bot alone. */
export function openPhone(bot: BotApiServer, owner: number): Phone {
  const lines: string[] = [];
  const shown: string[] = [];
  let seen = 0;

  /** The next message with `answer` in it; those before it are seen, too. */
  async function waitForText(answer: string | RegExp): Promise<SentMessage> {
    const isExpected = ({ text, document }: SentMessage) =>
      [text, document?.content ?? ""].some((each) =>
        typeof answer === "string" ? each.includes(answer) : answer.test(each),
      );
    const find = () => bot.sent(owner).slice(seen).find(isExpected);
    const found = await bot.waitFor(find).catch((error: unknown) => {
      throw new Error(`${String(answer)} did not come\n${lines.join("\n")}`, { cause: error });
    });
    const all = bot.sent(owner);
    const end = all.indexOf(found) + 1;
    for (const message of all.slice(seen, end)) note(message);
    seen = end;
    return { ...found };
  }

  function note({ text, html, document, buttons }: SentMessage): void {
    const labels = buttons.map(({ label }) => label);
    shown.push(html, ...labels);
    const file = document === undefined ? [] : [`📎 ${document.filename}`];
    const row = labels.length === 0 ? [] : [labels.map((label) => `[${label}]`).join(" ")];
    lines.push(block("bot", [text, ...file, ...row].join("\n")));
  }

  return {
    waitForText,
    async say(text, answer) {
      lines.push(block("you", text));
      bot.say(owner, text);
      return waitForText(answer);
    },
    async tap(label, answer) {
      lines.push(block("you", `press [${label}]`));
      await bot.tap(owner, label);
      return waitForText(answer);
    },
    async pressAgain({ messageId, buttons }, index, userId = owner) {
      const { label, data } = buttons[index] ?? { label: "", data: "" };
      const before = bot.popUps.length;
      bot.press(userId, messageId, data);
      const { text } = await bot.waitFor(() => bot.popUps[before]);
      const who = userId === owner ? "you" : "a friend";
      lines.push(block(who, `press [${label}] again`), block("pop", text));
      shown.push(text);
      return text;
    },
    transcript: () => lines.join("\n"),
    shown: () => shown,
  };
}

function block(who: string, text: string): string {
  return text
    .trimEnd()
    .split("\n")
    .map((line, index) => `${(index === 0 ? who : "").padEnd(10)}${line}`.trimEnd())
    .join("\n");
}

/** Latin words that are left of what was shown when code, commands, paths and `names` are not counted. */
export function findForeign(shown: readonly string[], names: readonly string[]): string[] {
  const known = new Set(names);
  return shown.flatMap((html) => {
    const text = html
      .replaceAll(/<pre>[\s\S]*?<\/pre>|<pre[\s\S]*?<\/pre>|<code>[\s\S]*?<\/code>|<[^>]*>/gu, " ")
      .replaceAll(/[^\s«»“”"]*[./_*]\w[^\s«»“”"]*/gu, " ");
    const words = text.match(/[A-Za-z][A-Za-z-]+/gu) ?? [];
    return words.filter((word) => !known.has(word)).map((word) => `${word} in: ${html}`);
  });
}

/** What the session of one language says and looks for. */
export interface Script {
  readonly language: Language;
  readonly yes: string;
  readonly no: string;
  readonly goal: string;
  readonly revision: string;
  readonly breaking: string;
  /** What the model sums a plan up with. */
  readonly summary: string;
  /** Words that only this language has, by the step that shows them. */
  readonly said: Readonly<
    Record<
      | "help"
      | "plan"
      | "revision"
      | "changes"
      | "applied"
      | "passed"
      | "undone"
      | "nothingWritten"
      | "rolledBack"
      | "history"
      | "rules"
      | "ws"
      | "chosen"
      | "memory"
      | "forgotten"
      | "report"
      | "status"
      | "mode"
      | "asks"
      | "notRun"
      | "saved"
      | "unknown",
      string
    >
  >;
  /** The truth about buttons. */
  readonly truths: Readonly<Record<"foreign" | "twice" | "undoneTwice" | "expired", string>>;
  readonly buttons: readonly string[];
}
