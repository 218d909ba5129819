import { clearScreenDown, cursorTo, type Interface } from "node:readline";
import { isAnother, isView, isYes } from "../../protocol/intent.ts";
import type { Texts } from "../../texts/texts.ts";
import { type Output, roomIn } from "../screen/open-output.ts";
import type { Screen } from "../screen/screen.ts";
import type { Link, LinkLine } from "./link.ts";
import { createProgressLine } from "./progress-line.ts";
import { createTokens, type LongChange } from "./tokens.ts";
import type { Viewer } from "./viewer.ts";

const PROMPT = "› ";

/** One conversation with the daemon, as a terminal or a pipe sees it. */
export interface Dialogue {
  /** Sends a line, as an answer where one is asked for, and waits for the end of the reply. */
  say(line: string): Promise<void>;
  /** Shows that it is the person's turn. */
  invite(): void;
  cancel(): void;
  /** "away": there is no daemon right now. */
  state(): "busy" | "asked" | "idle" | "away";
  /** Whether an answer ended with an error. */
  hasFailed(): boolean;
  readonly hungUp: Promise<"hung up">;
}

/** What a dialogue works with; without a `prompt` there is no terminal. */
export interface DialogueOptions {
  readonly link: Link;
  readonly sessionId: string;
  readonly prompt: Interface | undefined;
  readonly stdout: Output;
  readonly texts: Texts["terminal"];
  /** A terminal that can more than plain lines. */
  readonly screen: Screen | undefined;
  /** Shows the line that is being edited once more. */
  readonly again: () => void;
  /** Nothing but what is said: no passing line. */
  readonly isQuiet: boolean;
  /** Where a change set is read that is longer than the screen. */
  readonly viewer: Viewer | undefined;
  /** What was typed and not sent is no answer to what is asked only now; it comes back behind it. */
  readonly typed: { setAside(): void; bringBack(): void };
  /** To be called when there is a daemon again. */
  readonly greet: () => void;
}

/** Prints whatever the daemon says, asked for or not, and knows when a reply is complete. */
export function createDialogue(options: DialogueOptions): Dialogue {
  const { link, sessionId, prompt, stdout, texts, screen, viewer } = options;
  let asked: Asked | undefined;
  let replied: PromiseWithResolvers<void> | undefined;
  let atLineStart = true;
  let isAway = false;
  let failed = false;
  let viewing: Promise<void> | undefined;
  const status = options.isQuiet ? undefined : screen?.status();
  const progress =
    status &&
    createProgressLine(status, {
      render: () => [`… ${tokens.doing()}`, ...tokens.printed().map((line) => `  ${line}`)],
      renderEnd: (seconds) => `${tokens.counted()}${seconds} ${texts.works}`,
      isFree: () => atLineStart && !asked && prompt?.line === "",
      now: Date.now,
    });
  const write = (text: string) => {
    if (text === "") return;
    progress?.clear();
    stdout.write(text);
    atLineStart = text.endsWith("\n");
  };
  const wrap = (text: string) => screen?.wrap(text) ?? text;
  const writeLine = (text: string) => write(`${atLineStart ? "" : "\n"}${wrap(text)}\n`);
  const tokens = createTokens(screen, write);
  const show = async (line: LinkLine) => {
    if (line.type === "token") return tokens.add(line);
    await tokens.end();
    switch (line.type) {
      case "notice":
        return say(line.content);
      case "confirm": {
        const long = (await viewer?.isThere()) === true ? tokens.long() : undefined;
        const question = questionOf(line, texts, long !== undefined);
        asked = { id: line.request_id, question, mayTry: mayTry(line), long };
        return undefined;
      }
      case "error":
        failed = true;
        writeLine(`error: ${line.message}`);
        return replied?.resolve();
      case "done":
        if (!atLineStart) write("\n");
        return replied?.resolve();
      case "lost":
        isAway = true;
        asked = undefined; // what was asked ended with the connection
        prompt?.setPrompt(PROMPT);
        say(texts[replied ? "cut" : "lost"]);
        return replied?.resolve();
      case "back":
        isAway = false;
        options.greet();
        return say(texts.back);
      case "status":
      case "console":
        return undefined;
      default:
        return line satisfies never;
    }
  };
  const say = (text: string) => (replied ? writeLine(text) : interrupt(text));
  /** Text nobody waits for goes above the line that is being typed. */
  const interrupt = (text: string) => {
    if (!prompt) return writeLine(text);
    if (screen) {
      cursorTo(stdout, 0);
      clearScreenDown(stdout);
    } else stdout.write("\n"); // it knows no way back
    stdout.write(`${wrap(text)}\n`);
    options.again();
  };
  const pump = async () => {
    for await (const line of link.lines) {
      await roomIn(stdout); // what a slow line has not taken yet would push the next thing out
      await viewing; // what is written now would be written over the pager
      await show(line);
    }
    return "hung up" as const;
  };
  const view = async ({ text, list }: LongChange) => {
    const isShown = await viewer?.show(text);
    stdout.write(isShown === true ? list : text + list);
  };
  return {
    hungUp: pump(),
    state: () => (replied ? "busy" : isAway ? "away" : asked === undefined ? "idle" : "asked"),
    hasFailed: () => failed,
    cancel: () => link.send({ type: "cancel", session_id: sessionId }),
    invite() {
      const text = asked?.question ?? PROMPT;
      if (asked) options.typed.setAside();
      prompt?.setPrompt(text);
      prompt?.prompt();
      if (!asked) options.typed.bringBack();
      if (!prompt && asked !== undefined) write(text);
      if (prompt) atLineStart = true; // Enter will end the line
    },
    async say(line) {
      if (isAway) return writeLine(texts.notSent);
      if (asked?.long && isView(line)) {
        viewing = view(asked.long);
        await viewing.finally(() => (viewing = undefined));
        return undefined;
      }
      const answered = asked;
      const isTry = answered?.mayTry === true && isAnother(line);
      asked = undefined;
      replied = Promise.withResolvers();
      progress?.begin();
      if (answered && !prompt) write(`${line}\n`); // a pipe shows no typing
      if (!answered) {
        link.send({ type: "message", session_id: sessionId, content: line });
      } else if (isTry) {
        link.send({ type: "press", session_id: sessionId, act: "try_another", ref: answered.id });
      } else {
        link.send({ type: "confirm_response", request_id: answered.id, approved: isYes(line) });
      }
      await replied.promise;
      // Where nothing took its place it still waits; a daemon that is gone has forgotten it.
      if (isTry && !isAway) asked ??= answered;
      progress?.end();
      replied = undefined;
      return undefined;
    },
  };
}

/** What waits for an answer. */
interface Asked {
  readonly id: string;
  readonly question: string;
  /** Whether its goal may be planned in another way. */
  readonly mayTry: boolean;
  /** What can be looked at once more. */
  readonly long: LongChange | undefined;
}

type Confirm = Extract<LinkLine, { type: "confirm" }>;

function questionOf(line: Confirm, texts: Texts["terminal"], mayView: boolean): string {
  const view = mayView ? `(${texts.view}) ` : "";
  const keys = `${view}${mayTry(line) ? `[y/N, ${texts.another}]` : "[y/N]"}`;
  if (line.tool !== "apply_change_set") return `${texts.run} ${keys} `;
  const isFailing = line.args["checks"] === "failed";
  return `${isFailing ? texts.applyAnyway : texts.apply} ${keys} `;
}

function mayTry({ tool, args }: Confirm): boolean {
  return tool === "apply_change_set" && args["tries_left"] !== undefined;
}
