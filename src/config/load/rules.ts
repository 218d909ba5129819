import type { CronPattern } from "croner";
import { errorMessage } from "../../core/app-error.ts";
import { nearestKey } from "../nearest-key.ts";
import type { Fault } from "../places/places.ts";
import type { Config, KeyPath } from "../schema/schema.ts";

/** What no schema can say: names that must exist or be unique, time zones, schedules. */
export async function findFaults(config: Config): Promise<Fault[]> {
  return [
    ...providerFaults(config),
    ...duplicateFaults(config.workspaces, ["workspaces"]),
    ...duplicateFaults(config.routines.jobs, ["routines", "jobs"]),
    ...mcpFaults(config),
    ...webhookFaults(config),
    ...(await routineFaults(config)),
  ];
}

function providerFaults(config: Config): Fault[] {
  const names = Object.keys(config.providers);
  const faults: Fault[] = [];
  if (names.includes("offline")) {
    const message = 'the name "offline" means no model; choose another name';
    faults.push({ path: ["providers", "offline"], message });
  }
  const { provider } = config.default;
  if (provider !== "offline" && !names.includes(provider)) {
    faults.push(unknownName(["default", "provider"], provider, ["offline", ...names]));
  }
  for (const [index, name] of config.reliability.fallback_providers.entries()) {
    if (names.includes(name)) continue;
    faults.push(unknownName(["reliability", "fallback_providers", index], name, names));
  }
  return faults;
}

function mcpFaults({ mcp }: Config): Fault[] {
  return Object.entries(mcp.servers)
    .filter(([, { command, url }]) => (command === "") === (url === ""))
    .map(([name, { command }]) => {
      const found = command === "" ? "neither" : "both";
      const message = `found ${found}, allowed: either command or url`;
      return { path: ["mcp", "servers", name], message };
    });
}

function webhookFaults({ telegram, http }: Config): Fault[] {
  if (telegram.webhook_url === "" || http.enabled) return [];
  const message = "found an address, allowed: none while http.enabled is false";
  return [{ path: ["telegram", "webhook_url"], message }];
}

function duplicateFaults(entries: readonly { readonly name: string }[], path: KeyPath): Fault[] {
  const seen = new Set<string>();
  return entries.flatMap(({ name }, index) => {
    if (!seen.has(name)) {
      seen.add(name);
      return [];
    }
    return [{ path: [...path, index, "name"], message: `the name "${name}" is taken` }];
  });
}

async function routineFaults({ routines, workspaces }: Config): Promise<Fault[]> {
  if (routines.jobs.length === 0) return [];
  const { CronPattern: Pattern } = await import("croner");
  const names = workspaces.map(({ name }) => name);
  return routines.jobs.flatMap(({ schedule, timezone, workspace, mode }, index) => {
    const at = (key: string) => ["routines", "jobs", index, key];
    const faults: Fault[] = [];
    const reason = whyNoCron(schedule, Pattern);
    if (reason !== undefined) {
      const message = `found "${schedule}": ${reason}, allowed: cron such as "0 8 * * *"`;
      faults.push({ path: at("schedule"), message });
    }
    if (!isTimezone(timezone)) {
      const message = `found "${timezone}", allowed: an IANA time zone such as "Europe/Berlin"`;
      faults.push({ path: at("timezone"), message });
    }
    if (workspace === "" && mode !== "ask") {
      faults.push({ path: at("workspace"), message: `missing: mode "${mode}" needs one` });
    }
    if (workspace !== "" && !names.includes(workspace)) {
      faults.push(unknownName(at("workspace"), workspace, names));
    }
    return faults;
  });
}

function whyNoCron(schedule: string, Pattern: typeof CronPattern): string | undefined {
  const fields = schedule.trim().split(/\s+/).length;
  // Croner also takes nicknames such as @daily.
  if (fields !== 5 && fields !== 6) return `${fields} fields instead of 5 or 6`;
  try {
    void new Pattern(schedule.trim(), undefined, { mode: "5-or-6-parts" });
    return undefined;
  } catch (error) {
    return errorMessage(error).replace(/^CronPattern: /, "");
  }
}

function isTimezone(name: string): boolean {
  try {
    // A third of the price of Intl.DateTimeFormat.
    void new Temporal.ZonedDateTime(0n, name || "UTC");
    return true;
  } catch {
    return false;
  }
}

function unknownName(path: KeyPath, name: string, known: readonly string[]): Fault {
  const near = nearestKey(name, known);
  const guess = near ? `; did you mean "${near}"` : "";
  const list = known.length === 0 ? "nothing, none is configured" : known.join(", ");
  return { path, message: `found "${name}", allowed: ${list}${guess}` };
}
