import { readlinkSync } from "node:fs";

/** A link into the zones of the system; on macOS, too. */
const LINK = "/etc/localtime";

/** A process is told this one of its names. */
const UTC = /^(?:Etc\/)?(?:UTC|UCT|Universal|Zulu)$/u;

/**
 * The machine's timezone as it is now. A process is told it once, when it begins, and goes on with
 * that; so the link is read of which the system takes it, unless TZ says another for this process.
 */
export function machineTimezone(
  env: Readonly<Record<string, string | undefined>> = process.env,
): string {
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (env["TZ"]) return own;
  try {
    const [, name] = /\/zoneinfo\/(?:posix\/|right\/)?(.+)$/u.exec(readlinkSync(LINK)) ?? [];
    if (name === undefined) return own;
    if (UTC.test(name)) return "UTC";
    return Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return own; // a copy instead of a link, or a zone that nobody knows
  }
}
