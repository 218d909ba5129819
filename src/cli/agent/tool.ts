import { NOTHING_SEEN, toolsOf } from "../../agent/chat.ts";
import { toAskedCall } from "../../agent/gate/gate.ts";
import { createToolbox, type ReadCall, readCall, runTool } from "../../agent/turn/turn.ts";
import { renderCall } from "../../channels/call-text.ts";
import type { ErrorCode } from "../../core/error-codes.ts";
import { newId } from "../../core/ids.ts";
import { toPrintableText } from "../../core/visible-text.ts";
import type { Current } from "../../daemon/app/app.ts";
import { decide, PERSONS_OWN } from "../../security/policy.ts";
import type { Redactor } from "../../security/redact/redact.ts";
import type { Texts } from "../../texts/texts.ts";
import { failure, type ToolFailure, type ToolResult } from "../../tools/tool.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { askYesNo, canAsk } from "../ask-yes-no.ts";
import { type CliContext, EXIT } from "../context.ts";
import { openApp } from "../open-app.ts";
import { pickWorkspace } from "../open-config.ts";
import { parseCommand, WORKSPACE_OPTION } from "../parse.ts";
import { print, printFailure } from "../print.ts";
import { openRequest } from "./open-request.ts";

/** `papayu tool NAME JSON`: one call, as a model could make it, under the same policy. */
export async function tool(args: readonly string[], context: CliContext): Promise<number> {
  const parsed = parseCommand(args, context, { options: WORKSPACE_OPTION, positionals: [1, 2] });
  const isOfServer = parsed.positionals[0]?.startsWith(SERVER_PREFIX) === true;
  await using app = await openApp(parsed, context, "model", isOfServer);
  const { signal } = context;
  const workspace = pickWorkspace(app.current.loaded, parsed, context, app.state.ledger);
  const [name = "", json = "{}"] = parsed.positionals;
  const request = openRequest(app.current, workspace, context);
  const result = await app.current.agent.charge(request.speaker.sessionId, async () => {
    const toolbox = createToolbox(
      await toolsOf(request, app.current.agent.turns, workspace, NOTHING_SEEN),
    );
    const read = await readCall(
      toolbox,
      { id: "", name, arguments: json },
      { userTexts: [] },
      signal,
    );
    if (read.kind !== "run") return toUnread(read);
    const refused = await refuse(read, workspace, app.current, context);
    if (refused) return refused;
    request.activity.begin(name);
    return await runTool(read.tool, read.args, signal, newId("call"), request.activity.step);
  });
  request.activity.rest();
  signal.throwIfAborted();
  return report(result, app.secrets.redactor, app.current.texts(), context);
}

/** What names of MCP servers' tools begin with: no other call waits for servers. */
const SERVER_PREFIX = "mcp__";

type Runnable = Extract<ReadCall, { kind: "run" }>;

/** A call that did not run; the exit code tells scripts who can fix it. */
type NotRun = Omit<ToolFailure, "errorCode"> & {
  readonly errorCode: ErrorCode;
  readonly exitCode: number;
};

function toUnread(read: Exclude<ReadCall, Runnable>): NotRun {
  switch (read.kind) {
    case "ask":
      return { ...failure("invalid_args", read.question), exitCode: EXIT.usage };
    case "unfit":
      return { ...failure("invalid_args", read.faults), exitCode: EXIT.usage };
    case "unreadable":
      return { ...read.failure, exitCode: EXIT.usage };
    case "failed": {
      const isUsage = read.failure.errorCode === "invalid_args";
      return { ...read.failure, exitCode: isUsage ? EXIT.usage : EXIT.failed };
    }
    default:
      return read satisfies never;
  }
}

/** Why the call must not run: by the policy, by a person, or for want of one. */
async function refuse(
  call: Runnable,
  workspace: Workspace,
  { agent, texts }: Current,
  context: CliContext,
): Promise<NotRun | undefined> {
  if (call.tool.asksItself) return undefined;
  const { stderr } = context;
  const { name } = call.tool.schema;
  const decision = decide(agent.core.security.autonomy, {
    ...PERSONS_OWN,
    effect: call.tool.effect(call.args),
    hasApprover: true,
  });
  if (decision.kind === "allow") return undefined;
  const { reason } = decision;
  const denied = (error: string) => ({ ...failure("denied", error), exitCode: EXIT.failed });
  if (decision.kind === "deny") return denied(`Cannot run "${name}": ${reason}`);
  if (!canAsk(context)) {
    const error = `Cannot run "${name}": it needs a yes on a terminal (${reason})`;
    return { ...denied(error), errorCode: "CONFIRM_REQUIRED", exitCode: EXIT.approvalNeeded };
  }
  const { shown } = await toAskedCall(call.tool, call.args, workspace);
  stderr.write(`${renderCall({ tool: name, shown, reason }, texts())}\n\n`);
  const isYes = await askYesNo(texts().terminal.run, context);
  return isYes ? undefined : denied("You said no; nothing was run");
}

function report(
  result: ToolResult | NotRun,
  { redact }: Redactor,
  texts: Texts,
  context: CliContext,
): number {
  if (result.ok) {
    const content = redact(result.content);
    print(context, { ok: true, content }, toPrintableText(content));
    return EXIT.done;
  }
  const { errorCode, retryable, retryAfterMs } = result;
  const error = redact(result.error);
  const document = {
    ok: false,
    content: "",
    error,
    error_code: errorCode,
    retryable,
    ...(retryAfterMs !== undefined && { retry_after_ms: retryAfterMs }),
  };
  printFailure(context, document, { code: errorCode, message: error }, texts);
  return "exitCode" in result ? result.exitCode : EXIT.failed;
}
