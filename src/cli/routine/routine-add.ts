import { renderInstant } from "../../core/clock.ts";
import { STARTERS, toStarterName } from "../../routines/starters.ts";
import type { Texts } from "../../texts/texts.ts";
import type { RoutineService, RoutineView } from "../../tools/routine-service.ts";
import { askYesNo } from "../ask-yes-no.ts";
import type { CliContext } from "../context.ts";
import { type Parsed, usageError } from "../parse.ts";

/** What `routine add` takes. */
export const ADD_OPTIONS = {
  starter: { type: "string" },
  name: { type: "string" },
  schedule: { type: "string" },
  task: { type: "string" },
  mode: { type: "string" },
  timezone: { type: "string" },
  channel: { type: "string" },
  misfire: { type: "string" },
  "max-runs": { type: "string" },
  "max-tokens": { type: "string" },
  "max-cost": { type: "string" },
  "only-if-changed": { type: "string" },
  watch: { type: "string" },
  "trigger-secret": { type: "string" },
  always: { type: "boolean" },
  disabled: { type: "boolean" },
  yes: { type: "boolean" },
} as const;

const ADD_USAGE =
  "add --starter NAME | --name N --schedule S --task T [-w WS] [--mode ask|plan|apply] [--timezone Z] [--channel C] [--misfire M] [--max-runs N] [--max-tokens N] [--max-cost N] [--only-if-changed glob:G|url:U|--always] [--watch GLOB] [--trigger-secret env:V|file:P] [--disabled] [--yes]";

/**
 * `routine add`: checks the routine, shows what its schedule means and when it runs next, asks on a
 * terminal, and keeps it. Undefined when the person said no.
 *
 * @throws AppError ERR_ROUTINE_INVALID, ERR_USAGE.
 */
export async function routineAdd(
  parsed: Parsed,
  routines: RoutineService,
  texts: Texts,
  context: CliContext,
): Promise<RoutineView | undefined> {
  const timezone = parsed.text("timezone") ?? routines.timezone();
  const said = readWords(parsed, texts.starters, context);
  const schedule = await routines.readSchedule(said.schedule, timezone);
  const job = readJob(parsed, context, { ...said, schedule: schedule.schedule, timezone });
  await routines.check(job);
  const runs = schedule.next.map((at) => `  ${renderInstant(at, timezone)}`);
  if (context.stdin.isTTY && !context.command.json && !parsed.flag("yes")) {
    const { means, keep } = texts.routines;
    const shown = [means(said.schedule, schedule.schedule, timezone), ...runs];
    context.stderr.write(`${shown.join("\n")}\n`);
    if (!(await askYesNo(keep, context))) return undefined;
  }
  return routines.add(job);
}

/** As an entry of `routines.jobs`; what is not given has the defaults of the configuration. */
function readJob(
  parsed: Parsed,
  context: CliContext,
  said: Words & { readonly timezone: string },
): Readonly<Record<string, unknown>> {
  const workspace = parsed.text("workspace");
  const given = {
    mode: parsed.text("mode") ?? (workspace === undefined ? "ask" : said.mode),
    workspace,
    channel: parsed.text("channel"),
    misfire: parsed.text("misfire"),
    watch: parsed.text("watch"),
    trigger_secret: parsed.text("trigger-secret"),
    max_runs_per_day: readNumber(parsed, "max-runs", context),
    max_tokens_per_day: readNumber(parsed, "max-tokens", context),
    max_cost_per_day: readNumber(parsed, "max-cost", context),
  };
  return {
    ...said,
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
    only_if_changed: parsed.text("only-if-changed") ?? !parsed.flag("always"),
    enabled: !parsed.flag("disabled") && parsed.text("starter") === undefined,
  };
}

/** What a routine says of itself. */
interface Words {
  readonly name: string;
  readonly schedule: string;
  readonly task: string;
  readonly mode?: string;
}

/** From the command line; where that is silent, from the starter it names. */
function readWords(parsed: Parsed, tasks: Texts["starters"], context: CliContext): Words {
  const starter = readStarter(parsed, context);
  const need = (name: string, other?: string) =>
    parsed.text(name) ?? other ?? needText(parsed, name, context);
  return {
    name: need("name", parsed.text("starter")),
    schedule: need("schedule", starter?.schedule),
    task: need("task", starter && tasks[starter.name]),
    ...(starter && { mode: starter.mode }),
  };
}

function readStarter(parsed: Parsed, context: CliContext) {
  const name = parsed.text("starter");
  if (name === undefined) return undefined;
  const known = toStarterName(name);
  if (known === undefined) {
    const all = Object.keys(STARTERS).join(", ");
    throw usageError(`There is no starter "${name}"; there are ${all}`, context);
  }
  const starter = STARTERS[known];
  if (starter.needsWorkspace && parsed.text("workspace") === undefined) {
    throw usageError(`The starter "${name}" needs a workspace: -w WS`, context);
  }
  return { ...starter, name: known };
}

function needText(parsed: Parsed, name: string, context: CliContext): string {
  const text = parsed.text(name);
  if (text === undefined) throw usageError(`--${name} is missing (${ADD_USAGE})`, context);
  return text;
}

function readNumber(parsed: Parsed, name: string, context: CliContext): number | undefined {
  const text = parsed.text(name);
  if (text === undefined) return undefined;
  const value = Number(text);
  if (text.trim() === "" || !Number.isFinite(value))
    throw usageError(`--${name} is no number`, context);
  return value;
}
