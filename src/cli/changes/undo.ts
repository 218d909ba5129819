import { renderLeftAlone } from "../../agent/commands/commands.ts";
import { renderOutcome } from "../../channels/render-text.ts";
import { type CliContext, EXIT } from "../context.ts";
import { openApp } from "../open-app.ts";
import { pickWorkspace } from "../open-config.ts";
import { parseCommand, usageError, WORKSPACE_OPTION } from "../parse.ts";
import { print } from "../print.ts";
import { toApplyReport } from "../reports.ts";

/** `papayu undo`: takes the newest change of a workspace back; with `--check` looks first. */
export function undo(args: readonly string[], context: CliContext): Promise<number> {
  return move("undo", args, context);
}

/** `papayu redo`: brings back what was undone last. */
export function redo(args: readonly string[], context: CliContext): Promise<number> {
  return move("redo", args, context);
}

async function move(
  direction: "undo" | "redo",
  args: readonly string[],
  context: CliContext,
): Promise<number> {
  const own = {
    check: { type: "boolean" },
    yes: { type: "boolean", short: "y" },
    series: { type: "boolean" },
    // What it was called before, for the scripts that know it by that.
    row: { type: "boolean" },
  } as const;
  const options = { ...WORKSPACE_OPTION, ...(direction === "undo" && own) };
  const parsed = parseCommand(args, context, { options, positionals: [0, 0] });
  using app = await openApp(parsed, context, "no model");
  const workspace = pickWorkspace(app.current.loaded, parsed, context, app.state.ledger);
  const isSeries = parsed.flag("series") || parsed.flag("row");
  if (isSeries && parsed.flag("check")) {
    const given = parsed.flag("row") ? "--row" : "--series";
    throw usageError(`Give either ${given} or --check: what is checked is one change`, context);
  }
  if (parsed.flag("check")) {
    const { undoChecked } = await import("./undo-checked.ts");
    return await undoChecked(app.current, workspace, parsed.flag("yes"), context);
  }
  const outcome = await app.current.agent.plans.operations[direction](workspace, context.signal, {
    isSeries,
  });
  const isMissed = outcome.errorCode === "UNDO_NOTHING";
  const left = isMissed ? renderLeftAlone(workspace, app.current.texts().history) : [];
  const text = [renderOutcome(outcome, app.current.texts()), ...left].join("\n");
  print(context, toApplyReport(outcome), text);
  return outcome.ok ? EXIT.done : EXIT.failed;
}
