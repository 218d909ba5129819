import { type FailureTexts, toFailureLine } from "../channels/failure-lines.ts";
import { valueAt } from "../config/value-at.ts";
import type { AppError } from "../core/app-error.ts";
import type { ErrorCode } from "../core/error-codes.ts";
import { isLanguage, type Language } from "../core/language.ts";
import { toPrintableText } from "../core/visible-text.ts";
import type { Caller, CliContext, CommandLine } from "./context.ts";
import type { Output, Outputs } from "./screen/open-output.ts";

/** Exactly one JSON document for programs, or text for people, which has no colours. */
export function print(context: CliContext, document: unknown, text: string): void {
  printLaid(context, document, wrapFor(context.stdout, context, toPrintableText(text)));
}

/** The same with text that is in lines already and may have our colours, as a diff has. */
export function printLaid(
  { stdout, command: { json } }: CliContext,
  document: unknown,
  text: string,
): void {
  stdout.write(json ? `${JSON.stringify(document)}\n` : `${text}\n`);
}

/** Prose as a terminal shows it, cut between words; for anything else as it is. */
export function wrapFor(output: Output, { screen }: CliContext, text: string): string {
  return screen(output)?.wrap(text) ?? text;
}

/** The same for a failure that has a document of its own; people read it where errors are printed. */
export function printFailure(
  context: CliContext,
  document: unknown,
  failure: ToldFailure,
  texts: FailureTexts,
): void {
  const {
    stdout,
    stderr,
    command: { json },
  } = context;
  if (json) stdout.write(`${JSON.stringify(document)}\n`);
  const write = (text: string) => stderr.write(wrapFor(stderr, context, text));
  tellFailure({ write }, failure, texts);
}

/** The one way in which a command tells a person of a failure: the code, then in their language. */
export function tellFailure(
  stderr: { write(text: string): unknown },
  failure: ToldFailure,
  texts: FailureTexts,
): void {
  stderr.write(`papayu: ${toPrintableText(toFailureLine(failure, texts))}\n`);
}

/** `said` is what the person is told instead of the message, where that is known. */
interface ToldFailure {
  readonly code: ErrorCode;
  readonly message: string;
  readonly said?: string | undefined;
}

/** Says what helps on the way and is no result: what goes on, what to do next. */
export function tell({ stderr, command }: NoticeTarget, text: string): void {
  if (!command.quiet) stderr.write(`${toPrintableText(text)}\n`);
}

/** Who is told what is no result. */
export type NoticeTarget = Pick<CliContext, "stderr"> & {
  readonly command: Pick<CommandLine, "quiet">;
};

/**
 * Events of a one-shot command go to stderr, but not into the face of a person at a terminal,
 * for whom the command's own words are enough.
 */
export function eventWriter(context: CliContext): (line: string) => void {
  return (line) => {
    if (context.command.quiet) return;
    if (context.command.json || !context.stderr.isTTY) context.stderr.write(line);
  };
}

/** Tells of a failure that ended a command, in the language that the configuration asks for. */
export async function tellInOwnWords(failure: AppError, place: Place): Promise<void> {
  const { textsIn } = await import("../texts/texts.ts");
  const { saidOf } = await import("../channels/error-text.ts");
  const { argv, cwd, env, userHome } = place;
  const texts = textsIn(await readLanguage(namedConfig(argv), { cwd, env, userHome }));
  const { code, message } = failure;
  const said = saidOf(failure, texts);
  const output = place.outputs.stderr();
  const screen = output.isTTY ? await openScreen(output, place.env) : undefined;
  const write = (text: string) => output.write(screen?.wrap(text) ?? text);
  tellFailure({ write }, { code, message, said }, texts);
}

/** A command that ended early may not have asked for one yet. */
async function openScreen(output: Output, env: Caller["env"]) {
  const { screensOf } = await import("./screen/screen.ts");
  return screensOf(env)(output);
}

/** Where the command was called, and how. */
interface Place extends Caller {
  readonly argv: readonly string[];
  readonly outputs: Pick<Outputs, "stderr">;
}

/**
 * The language of the configuration at `path`, or else at the usual places. English where nobody can
 * say: a file with any other fault in it still names the language.
 */
export async function readLanguage(
  path: string | undefined,
  { cwd, env, userHome }: Caller,
): Promise<Language> {
  try {
    const { readConfigFiles } = await import("../config/places/places.ts");
    const given = { ...(path !== undefined && { path }), cwd, env, home: userHome };
    const { owner } = await readConfigFiles(given);
    const language = valueAt(owner?.toml.value, ["default", "language"]);
    return isLanguage(language) ? language : "en";
  } catch {
    return "en";
  }
}

/** Of `--config PATH` and `--config=PATH`; the arguments may be what is not understood. */
function namedConfig(argv: readonly string[]): string | undefined {
  const at = argv.indexOf("--config");
  if (at >= 0) return argv[at + 1];
  return argv.find((each) => each.startsWith("--config="))?.slice("--config=".length);
}
