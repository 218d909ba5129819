import type { LogFilter } from "../../../channels/http/http-channel.ts";

/** How much a line of the log matters, from least to most. */
export const LEVELS: readonly LogFilter["level"][] = ["info", "warning", "error"];

/** Words of an event that say that something went wrong, or went another way. */
const ERROR = /(?:^|_)(?:FAILED|ERROR|GONE|LOST|CRASH|DEFECT)(?:_|$)/u;
const WARNING =
  /(?:^|_)(?:NOT|OFF|OUT|REFUSED|RETRY|FALLBACK|SUSPECTED|TIMEOUT|UNREADABLE|INVALID|ROLLBACK|UP|HELD|STALLED|INCOMPLETE|UNTIDY|FOREIGN|REPAIR)(?:_|$)/u;

/** The log has names of events alone: what each says of itself is its level. */
export function levelOf(event: string): LogFilter["level"] {
  if (ERROR.test(event)) return "error";
  return WARNING.test(event) ? "warning" : "info";
}
