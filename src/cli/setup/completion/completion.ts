import { existsSync } from "node:fs";
import { listKeys } from "../../../config/keys/show-key.ts";
import type { LoadedConfig } from "../../../config/load/load.ts";
import { toVisibleText } from "../../../core/visible-text.ts";
import type { App } from "../../../daemon/app/app.ts";
import { statePath } from "../../../store/open/open.ts";
import { type CliContext, type Command, EXIT, type Options } from "../../context.ts";
import { openApp } from "../../open-app.ts";
import { pickWorkspace, readConfig } from "../../open-config.ts";
import { type Parsed, parseCommand, usageError } from "../../parse.ts";
import {
  type Candidate,
  type Commands,
  complete,
  type Lookup,
  type OptionsOf,
} from "./complete.ts";
import { SCRIPTS, SHELLS } from "./scripts.ts";

/** How many plans and traces are offered. */
const NEWEST = 20;

/** `papayu completion` of these commands: the script that a shell loads, or what a word of a line can be. */
export function completionOf(commands: Commands): Awaited<ReturnType<Command["load"]>> {
  return (args, context) => completion(commands, args, context);
}

async function completion(
  commands: Commands,
  args: readonly string[],
  context: CliContext,
): Promise<number> {
  const options = { words: { type: "boolean" } } as const;
  const parsed = parseCommand(args, context, { options, positionals: [0, Infinity] });
  const {
    stdout,
    command: { json },
  } = context;
  if (parsed.flag("words")) {
    const words = parsed.positionals;
    const lookup = lookUp(ofLine(parsed), context);
    const found = await complete(words, commands, optionsOf(commands, context), lookup);
    if (json) stdout.write(`${JSON.stringify({ ok: true, found })}\n`);
    else stdout.write(found === "files" ? ":files\n" : found.map(render).join(""));
    return EXIT.done;
  }
  const [name, ...more] = parsed.positionals;
  const shell = SHELLS.find((each) => each === name);
  if (!shell || more.length > 0) throw usageError("Name one shell", context);
  stdout.write(json ? `${JSON.stringify({ ok: true, script: SCRIPTS[shell] })}\n` : SCRIPTS[shell]);
  return EXIT.done;
}

/** The configuration and the workspace that the line names count, not those of this command. */
function ofLine(parsed: Parsed): Parsed {
  const words = parsed.positionals;
  const valueOf = (...names: readonly string[]) =>
    words.slice(0, -1).find((_, i) => names.includes(words[i - 1] ?? ""));
  const given: Readonly<Record<string, string | undefined>> = {
    config: valueOf("--config"),
    workspace: valueOf("-w", "--workspace"),
  };
  return { ...parsed, text: (name) => given[name] ?? parsed.text(name) };
}

/** A name may come from anybody's configuration: nothing in it ends the line or the word. */
function render({ word, about }: Candidate): string {
  return /[\s\p{Cc}]/u.test(word) ? "" : `${toVisibleText(word)}\t${toVisibleText(about)}\n`;
}

/** Asks the commands themselves: each parses its arguments before it does anything else. */
function optionsOf(commands: Commands, context: CliContext): OptionsOf {
  return async (name, args) => {
    let known: Readonly<Options> = {};
    const seen = new Error("its options are known");
    const probe = (options: Readonly<Options>) => {
      known = options;
      throw seen;
    };
    try {
      const run = await commands[name]?.load();
      await run?.(args, { ...context, command: { ...context.command, probe } });
    } catch (error) {
      if (error !== seen) throw error;
    }
    return known;
  };
}

/** Looks up nothing that the line does not ask for, and makes nothing: a home may not be there yet. */
function lookUp(parsed: Parsed, context: CliContext): Lookup {
  const toNames = (names: readonly string[]) => names.map((word) => ({ word, about: "" }));
  const inState = async (
    { home }: LoadedConfig,
    read: (app: App) => Promise<readonly Candidate[]>,
  ): Promise<readonly Candidate[]> => {
    if (!existsSync(statePath(home))) return [];
    using app = await openApp(parsed, context, "no model");
    return await read(app);
  };
  const sources: Readonly<Record<string, Source>> = {
    WS: async ({ config }) =>
      config.workspaces.map(({ name, path }) => ({ word: name, about: path })),
    KEY: async ({ config }) => toNames(listKeys(config).map(({ key }) => key)),
    TRACE_ID: async (loaded) => toNames(await newestTraces(parsed, loaded, context)),
    PLAN_ID: (loaded) =>
      inState(loaded, async ({ state }) => {
        const { createPlanStore } = await import("../../../store/plans/plans.ts");
        const plans = createPlanStore(state.store).newest(NEWEST);
        return plans.map(({ planId, goal }) => ({ word: planId, about: goal }));
      }),
    JOB: (loaded) =>
      inState(loaded, async ({ routines }) => toNames(routines.list().map(({ name }) => name))),
  };
  return async (value) => {
    const source = sources[value];
    return source ? source(await readConfig(parsed, context)) : [];
  };
}

type Source = (loaded: LoadedConfig) => Promise<readonly Candidate[]>;

async function newestTraces(
  parsed: Parsed,
  loaded: LoadedConfig,
  context: CliContext,
): Promise<readonly string[]> {
  const { readTraces } = await import("../../../trace/read-traces.ts");
  const found: string[] = [];
  const workspace = pickWorkspace(loaded, parsed, context);
  for await (const each of readTraces(workspace, { now: Date.now(), signal: context.signal })) {
    if (each.kind !== "unreadable" && found.push(each.trace.trace_id) === NEWEST) break;
  }
  return found;
}
