/** Defects of the kind that nobody catches, for a daemon that loads this first. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

const log = join(process.env["PAPAYU_HOME"] ?? "", "logs/papayu.log");

const untilReady = setInterval(() => {
  if (!existsSync(log) || !readFileSync(log, "utf8").includes("DAEMON_READY")) return;
  clearInterval(untilReady);
  setTimeout(() => void Promise.reject(new TypeError("nobody awaits this")), 20);
  setTimeout(fail, 40);
  if (process.env["FLOOD"] === "1") setInterval(fail, 1);
}, 20);

function fail(): void {
  throw new RangeError("nobody catches this");
}
