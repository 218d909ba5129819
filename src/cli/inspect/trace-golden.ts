import type { LoadedConfig } from "../../config/load/load.ts";
import { resolveSecret, secretReferences } from "../../config/secret.ts";
import { toVisibleText } from "../../core/visible-text.ts";
import { createRedactor } from "../../security/redact/redact.ts";
import { readTrace } from "../../trace/read-trace.ts";
import { mostActionsIn } from "../../workspace/profile.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { CliContext } from "../context.ts";
import { print } from "../print.ts";

/** `papayu trace golden`: keeps an answer and its files below the current folder, for tests. */
export async function traceGolden(
  workspace: Workspace,
  traceId: string,
  {
    name,
    redact,
    context,
  }: {
    readonly name: string | undefined;
    readonly redact: (text: string) => string;
    readonly context: CliContext;
  },
): Promise<void> {
  const trace = await readTrace(workspace, traceId, context.signal);
  const [{ toGolden }, { writeGolden }] = await Promise.all([
    import("../../trace/golden.ts"),
    import("../../trace/write-golden.ts"),
  ]);
  const maxActions = await mostActionsIn(workspace);
  const parts = toGolden(trace, { workspace, maxActions, redact });
  const path = writeGolden(context.caller.cwd, parts, name);
  const kept = [...parts.tree.files.keys()];
  const leftOut = [...parts.tree.missing, ...parts.tree.protected];
  const rows = [
    path,
    ...kept.map((file) => `kept ${file}`),
    ...leftOut.map(({ path: file, reason }) => `left out ${file}: ${reason}`),
  ];
  print(
    context,
    { ok: true, trace_id: traceId, path, kept, left_out: leftOut },
    rows.map(toVisibleText).join("\n"),
  );
}

/** Knows every secret of the configuration that can be had here. */
export function createConfiguredRedactor(
  { config, userHome }: LoadedConfig,
  { caller: { env } }: CliContext,
): (text: string) => string {
  const redactor = createRedactor();
  for (const { reference } of secretReferences(config)) {
    const secret = resolveSecret(reference, { env, home: userHome });
    if (secret.ok && secret.value !== undefined) redactor.add(secret.value);
  }
  return redactor.redact;
}
