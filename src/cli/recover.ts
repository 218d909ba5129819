import { recover as recoverWorkspace } from "../transaction/recover.ts";
import { type CliContext, EXIT } from "./context.ts";
import { openApp, pickWorkspace, print } from "./open-app.ts";
import { JSON_OPTION, parseCommand, WORKSPACE_OPTION } from "./parse.ts";

/** `papayu recover`: rolls back what a crash left half done, and says so. */
export async function recover(args: readonly string[], context: CliContext): Promise<number> {
  const parsed = parseCommand(args, "recover [-w WS] [--json]", {
    options: { ...WORKSPACE_OPTION, ...JSON_OPTION },
    positionals: [0, 0],
  });
  using app = await openApp(parsed, context);
  const recovered = recoverWorkspace(pickWorkspace(app, parsed, context), { log: app.log });
  print(context, parsed.flag("json"), recovered, JSON.stringify(recovered));
  return EXIT.done;
}
