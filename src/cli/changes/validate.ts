import { toVisibleText } from "../../core/visible-text.ts";
import { type ProtocolVersion, versionName } from "../../protocol/version.ts";
import { type CliContext, EXIT } from "../context.ts";
import { openConfig } from "../open-config.ts";
import { type Parsed, parseCommand, usageError } from "../parse.ts";
import { print } from "../print.ts";
import { readInput } from "./read-input.ts";
import { type AnswerReport, validateAnswer } from "./validate-answer.ts";

const OPTIONS = { protocol: { type: "string" }, mode: { type: "string" } } as const;

/** No model writes a longer answer. */
const ANSWER = {
  verb: "validate",
  mostBytes: 16 * 1024 * 1024,
  ifTooLarge: "give one answer",
} as const;

/** `papayu validate FILE|-`: checks a model's answer as the planner would; 1 when it is refused. */
export async function validate(args: readonly string[], context: CliContext): Promise<number> {
  const parsed = parseCommand(args, context, { options: OPTIONS, positionals: [1, 1] });
  const mode = parseMode(parsed, context);
  const { config } = await openConfig(parsed, context);
  const version = parseVersion(parsed.text("protocol") ?? `${config.protocol.version}`, context);
  const text = await readInput({ ...ANSWER, name: parsed.positionals[0] ?? "-" }, context);
  const report = validateAnswer(text, version, mode);
  print(context, report, renderReport(report));
  return report.ok ? EXIT.done : EXIT.failed;
}

function parseMode(parsed: Parsed, context: CliContext): "plan" | "apply" | undefined {
  const mode = parsed.text("mode");
  if (mode === undefined || mode === "plan" || mode === "apply") return mode;
  throw usageError(`Cannot validate for the mode "${mode}"`, context);
}

function parseVersion(text: string, context: CliContext): ProtocolVersion {
  const version = VERSIONS.find((known) => `${known}` === text);
  if (version !== undefined) return version;
  throw usageError(`Cannot validate for the protocol "${text}"`, context);
}

const VERSIONS: readonly ProtocolVersion[] = [1, 2, 3];

function renderReport({
  ok,
  protocol,
  mode,
  actions_count,
  error_code,
  errors,
}: AnswerReport): string {
  const actions = actions_count === 1 ? "1 action" : `${actions_count} actions`;
  const head = `protocol ${versionName(protocol)}, ${mode}, ${actions}`;
  if (ok) return `ok: ${head}`;
  const faults = errors.map((error) => `  ${toVisibleText(error)}`);
  return [`${error_code}: ${head}`, ...faults].join("\n");
}
