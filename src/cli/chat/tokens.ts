import type { DaemonLine } from "../../channels/socket/wire.ts";
import type { Screen } from "../screen/screen.ts";

/** The pieces of answers, as a terminal shows them. */
export interface Tokens {
  add(token: Token): Promise<void>;
  /** Something else comes: what was held back is shown. */
  end(): Promise<void>;
  /** What is being done, with a blank behind it; empty where nobody said so. */
  doing(): string;
  /** How far it is, with what keeps it apart; empty where nobody said so. */
  counted(): string;
  /** The last lines of what a check prints. */
  printed(): readonly string[];
  /** The change set that came last, if it is longer than the screen and nothing came behind it. */
  long(): LongChange | undefined;
}

/** A change set that goes by too fast to be read. */
export interface LongChange {
  /** All of it: the list of what it changes, and its diff. */
  readonly text: string;
  /** The list once more, as much of it as the screen holds. */
  readonly list: string;
}

const MOST_LINES = 3;

type Token = Extract<DaemonLine, { readonly type: "token" }>;

/** Writes each piece as what it is; without a screen, and of a daemon that does not say, as it comes. */
export function createTokens(screen: Screen | undefined, write: (text: string) => void): Tokens {
  const prose = screen?.stream();
  let isProse = false;
  let diff = "";
  /** What came before a diff: the list of what it changes. */
  let list = "";
  let endsLine = false;
  let doing = "";
  let counted = "";
  let printed: readonly string[] = [];
  let long: LongChange | undefined;

  async function end(): Promise<void> {
    if (isProse && prose) write(prose.end() + (endsLine ? "\n" : ""));
    isProse = false;
    if (!screen || diff === "") return;
    const [painted, again] = [await screen.diff(diff), screen.again(list, diff)];
    diff = "";
    long = again === "" ? undefined : { text: screen.wrap(list) + painted, list: again };
    write(painted + again);
  }

  return {
    async add({ content, format }) {
      if (format === "count") {
        const [, done, of] = /^(\d{1,15})\/(\d{1,15})$/u.exec(content) ?? [];
        if (screen && of) counted = screen.counted({ counted: Number(done), of: Number(of) });
        return;
      }
      counted = "";
      if (screen && prose && format === "markdown") {
        isProse = true;
        if (content !== "") endsLine = content.endsWith("\n");
        [doing, printed] = ["", []];
        return write(prose.push(content));
      }
      if (screen && format === "diff") {
        diff += content;
        return;
      }
      if (format === "output") {
        printed = [...printed, ...content.trimEnd().split("\n")].slice(-MOST_LINES);
        return;
      }
      await end();
      [printed, long] = [[], undefined];
      list = content;
      if (format === "step") doing = `${content.trim().split("\n", 1)[0]} `;
      write(screen?.wrap(content) ?? content);
    },
    end,
    doing: () => doing,
    counted: () => counted,
    printed: () => printed,
    long: () => long,
  };
}
