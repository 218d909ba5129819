import { statSync } from "node:fs";
import type { LogFacts, LogFilter } from "../../../channels/http/http-channel.ts";
import type { Clock } from "../../../core/clock.ts";
import { shorten } from "../../../core/cut-text.ts";
import { toVisibleText } from "../../../core/visible-text.ts";
import { followLines } from "../../../system/logs/follow-lines.ts";
import { type LineAt, readBack } from "../../../system/logs/read-back.ts";
import { logPath } from "../../app/app.ts";

/** Most that is looked through for one page. */
const MOST_BYTES = 4 * 1024 * 1024;
/** Most of one line that is shown. */
const MOST_CHARS = 4000;
/** Most of a line that is kept until its end comes. */
const MOST_REST_CHARS = 256 * 1024;

type Line = ReturnType<typeof toLine>;

/** Where the log is, and what of it nobody may see. */
export interface LogSources {
  readonly home: () => string;
  readonly redact: (text: string) => string;
  readonly clock: Pick<Clock, "sleep">;
}

/** The daemon's log, masked, line by line. */
export function createLogFacts({ home, redact, clock }: LogSources): LogFacts {
  const path = () => logPath(home());
  const show = (text: string, lost = 0) => toLine(text, lost, redact);
  return {
    read({ before, limit, filter }) {
      const end = findEnd(path());
      const lines: Line[] = [];
      let looked = 0;
      let oldest: LineAt | undefined;
      using found = readBack(path(), before ?? end);
      while (lines.length < limit && looked < MOST_BYTES) {
        const next = found.next();
        if (next.done) return { lines: lines.toReversed(), older: null, end };
        oldest = next.value;
        looked += oldest.sizeBytes;
        const line = show(oldest.text, oldest.sizeBytes - 1 - Buffer.byteLength(oldest.text));
        if (isWanted(line, filter)) lines.push(line);
      }
      const isAll = found.next().done === true;
      return { lines: lines.toReversed(), older: isAll ? null : (oldest?.at ?? null), end };
    },
    async *follow(after, filter, signal) {
      let rest = "";
      for await (const text of followLines(path(), after, clock, signal)) {
        const [first = "", ...others] = text.split("\n");
        if (rest.length < MOST_REST_CHARS) rest += first;
        for (const next of others) {
          const line = show(rest);
          if (isWanted(line, filter)) yield line;
          rest = next;
        }
      }
    },
  };
}

function findEnd(path: string) {
  const found = statSync(path, { throwIfNoEntry: false });
  return { ino: found?.ino ?? 0, offset: found?.size ?? 0 };
}

const LINE = /^(\S{1,40}) \[trace\] ([A-Z][A-Z0-9_]{0,80})(?: |$)/u;
/** What no line of ours is: one of a key over several lines, which by itself does not say so. */
const KEY_LINE = /^\s*[A-Za-z\d+/]{16,}={0,2}\s*$/u;

/** What is searched is what is shown: nobody finds out by searching what is masked. */
function toLine(text: string, lost: number, redact: (text: string) => string) {
  const [head = "", at, event] = LINE.exec(text) ?? [];
  const said = KEY_LINE.test(text) ? "[secret]" : redact(text.slice(head.length));
  const whole = toVisibleText(said);
  return {
    at: at ?? null,
    event: event ?? null,
    level: levelOf(event ?? ""),
    text: shorten(whole, MOST_CHARS),
    cut: Math.max(0, whole.length - MOST_CHARS) + Math.max(0, lost),
  };
}

function isWanted({ level, event, text }: Line, filter: LogFilter): boolean {
  if (LEVELS.indexOf(level) < LEVELS.indexOf(filter.level)) return false;
  return `${event ?? ""} ${text}`.toLowerCase().includes(filter.text.toLowerCase());
}

/** How much a line of the log matters, from least to most. */
const LEVELS: readonly LogFilter["level"][] = ["info", "warning", "error"];

/** Words of an event that say that something went wrong, or went another way. */
const ERROR = /(?:^|_)(?:FAILED|ERROR|GONE|LOST|CRASH|DEFECT)(?:_|$)/u;
const WARNING =
  /(?:^|_)(?:NOT|OFF|OUT|REFUSED|RETRY|FALLBACK|SUSPECTED|TIMEOUT|UNREADABLE|INVALID|ROLLBACK|UP|HELD|STALLED|INCOMPLETE|UNTIDY|FOREIGN|REPAIR)(?:_|$)/u;

/** The log has names of events alone: what each says of itself is its level. */
export function levelOf(event: string): LogFilter["level"] {
  if (ERROR.test(event)) return "error";
  return WARNING.test(event) ? "warning" : "info";
}
