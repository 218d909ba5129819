import { type App, createApp } from "../daemon/app/app.ts";
import { createOfflineProvider } from "../providers/offline.ts";
import type { CliContext } from "./context.ts";
import { openConfig } from "./open-config.ts";
import type { Parsed } from "./parse.ts";
import { eventWriter, tell } from "./print.ts";

/**
 * The app of a one-shot command. Where no model is asked (`"no model"`) a missing key is no
 * hindrance: undo has to work on the worst of days. `isOnlyTurn`: it waits for the tools of servers.
 */
export async function openApp(
  parsed: Parsed,
  context: CliContext,
  needs: "model" | "no model" = "model",
  isOnlyTurn = false,
): Promise<App> {
  const { cwd, env } = context.caller;
  const loaded = await openConfig(parsed, context);
  return createApp(loaded, {
    env,
    cwd,
    writeLog: eventWriter(context),
    notice: (text) => tell(context, `papayu: ${text}`),
    isOnlyTurn,
    ...(needs === "no model" && { provider: createOfflineProvider() }),
  });
}
