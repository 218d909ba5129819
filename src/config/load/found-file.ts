import { dirname } from "node:path";
import { AppError } from "../../core/app-error.ts";
import { shorten } from "../../core/cut-text.ts";
import { firstOf } from "../../core/few.ts";
import { toVisibleText } from "../../core/visible-text.ts";
import {
  type BrokenFile,
  type ConfigFile,
  type ConfigFiles,
  type LoadOptions,
  mustBeRight,
  type StrangeFile,
  toConfigError,
  toTrustedError,
  wasTrusted,
} from "../places/places.ts";
import type { Config, KeyPath } from "../schema/schema.ts";
import { type Tightened, tighten } from "../tighten/tighten.ts";
import { renderTomlKey } from "../toml/toml.ts";
import { findFaults } from "./rules.ts";
import { problemsOf, readWhole } from "./validate.ts";

/** A configuration that was only found in the current folder, and what became of it. */
export interface FoundFile {
  /** Absolute. */
  readonly path: string;
  /** The path as messages show it. */
  readonly shown: string;
  /** Keys that have a stricter value from it. */
  readonly stricter: readonly string[];
  /** Keys that do not have its value, for want of trust. */
  readonly notTaken: readonly string[];
  /** Names of the workspaces that it brought. */
  readonly added: readonly string[];
  /** It was trusted with its earlier contents. */
  readonly isChanged: boolean;
}

/** Warnings about a found file. */
export function toFoundFile(file: ConfigFile, tightened: Tightened, home: string): FoundFile {
  const { path, shown } = file;
  return {
    path,
    shown,
    stricter: toKeys(tightened.stricter),
    notTaken: toKeys(tightened.notTaken),
    added: tightened.added,
    isChanged: wasTrusted(home, path),
  };
}

function toKeys(paths: readonly KeyPath[]): readonly string[] {
  return [...new Set(paths.map((steps) => renderTomlKey(steps.map(String))))];
}

const MAX_REASON = 200;

/** One line that says which file is left out and why; a stranger wrote what it quotes. */
export function brokenWarning(file: BrokenFile): string {
  return `${file.shown}: left out, as it is not trusted and not right: ${reasonOf(file)}; papayu config check says what to fix`;
}

function reasonOf({ error }: BrokenFile): string {
  const [first = "", ...others] = error.message.split("\n");
  const more = others.length > 0 ? ` and ${others.length} more` : "";
  return `${shorten(toVisibleText(first), MAX_REASON)}${more}`;
}

const MOST_STRANGE = 3;

/** One line that says which file is left out, and what shows that it is another program's. */
function otherWarning({ shown, strange }: StrangeFile): string {
  const named = firstOf(strange, MOST_STRANGE)
    .lines(String, (left) => `${left} more`)
    .join(", ");
  return `${shown}: left out, as it seems to be another program's (papa-yu has no ${named}); give yours by --config`;
}

const MAX_NAMED = 12;

/** One warning that names what was not taken, or that trust has ended. */
function foundWarnings({ shown, notTaken, isChanged }: FoundFile): readonly string[] {
  const advice = "papayu config trust shows what it would change and asks";
  if (notTaken.length === 0) {
    return isChanged ? [`${shown}: changed since you trusted it; ${advice}`] : [];
  }
  const named = firstOf(notTaken, MAX_NAMED)
    .lines(String, (left) => `and ${left} more`)
    .join(", ");
  const since = isChanged ? "changed since you trusted it; " : "";
  return [`${shown}: ${since}not taken from a file that is not trusted: ${named}; ${advice}`];
}

/** A file beside the owner's, in facts, for whoever says it in other words than the warnings do. */
export interface FoundNotice {
  /** Absolute. */
  readonly path: string;
  readonly why: "untrusted" | "changed" | "broken" | "other";
  /** What is wrong with a broken one. */
  readonly reason?: string;
  /** Keys of it that do not count, or that show whose it is. */
  readonly ignored: Named;
  /** What of it holds: it is stricter, or brings a workspace. */
  readonly held: Named;
}

interface Named {
  readonly names: readonly string[];
  /** So many more there are. */
  readonly left: number;
}

/** The warnings of a configuration, and apart from them what is so of a file beside the owner's. */
export function noticesOf(loaded: {
  readonly warnings: readonly string[];
  readonly source: FoundContext;
}): { readonly warnings: readonly string[]; readonly beside: FoundNotice | null } {
  const { found, broken, other } = loaded.source;
  const told = besideWarnings(loaded.source);
  const warnings = loaded.warnings.filter((text) => !told.includes(text));
  const held = toNamed([...(found?.stricter ?? []), ...(found?.added ?? []).map(toEntryName)]);
  const none = toNamed([]);
  if (broken) {
    const { path } = broken;
    const reason = reasonOf(broken);
    return { warnings, beside: { path, why: "broken", reason, ignored: none, held } };
  }
  if (other) {
    const { path, strange } = other;
    return { warnings, beside: { path, why: "other", ignored: toNamed(strange), held: none } };
  }
  if (!found || told.length + held.names.length === 0) return { warnings, beside: null };
  const { path, notTaken, isChanged } = found;
  const why = isChanged ? "changed" : "untrusted";
  return { warnings, beside: { path, why, ignored: toNamed(notTaken), held } };
}

/** What was found beside the owner's file, as far as a configuration knows it. */
interface FoundContext {
  readonly found: FoundFile | undefined;
  readonly broken: BrokenFile | undefined;
  readonly other: StrangeFile | undefined;
}

/** Every warning about a file that was only found. */
export function besideWarnings({ found, broken, other }: FoundContext): readonly string[] {
  return [
    ...(other ? [otherWarning(other)] : []),
    ...(broken ? [brokenWarning(broken)] : []),
    ...(found ? foundWarnings(found) : []),
  ];
}

function toEntryName(name: string): string {
  return renderTomlKey(["workspaces", name]);
}

function toNamed(keys: readonly string[]): Named {
  let left = 0;
  const names = firstOf(keys, MAX_NAMED).take((more) => (left = more));
  return { names: names.map(toVisibleText), left };
}

/** What a file that was only found does; nothing where there is none. */
interface FoundEffect {
  readonly tightened?: Tightened;
  /** The file that did it: as it is, or as it was when it was right. */
  readonly file?: ConfigFile;
  readonly broken?: BrokenFile;
}

/** How the files were asked for, and where paths start. */
interface LoadContext {
  readonly options: LoadOptions;
  /** Relative paths of the owner's file start here. */
  readonly ownDir: string;
}

/**
 * Makes the owner's configuration stricter by a file that was only found. One that is broken never
 * stops the owner, and does not become looser by that either: what it last said holds.
 *
 * @throws AppError ERR_CONFIG_INVALID of one that the owner trusted before it broke
 */
export async function tightenByFound(
  own: Config,
  { found, broken }: ConfigFiles,
  context: LoadContext,
): Promise<FoundEffect> {
  if (broken) return keepLast(own, broken, context);
  if (!found) return {};
  try {
    return { tightened: await tightenBy(found, own, context), file: found };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { path, shown } = found;
    if (mustBeRight(context.options, path)) throw toTrustedError(error, shown);
    return keepLast(own, { path, shown, error }, context);
  }
}

async function keepLast(
  own: Config,
  broken: BrokenFile,
  context: LoadContext,
): Promise<FoundEffect> {
  const { lastFound: file } = context.options;
  if (file?.path !== broken.path) return { broken };
  return { tightened: await tightenBy(file, own, context), file, broken };
}

/** The file itself has to be right as well: what a broken one intended is not guessed. */
async function tightenBy(found: ConfigFile, own: Config, { options, ownDir }: LoadContext) {
  const whole = await readWhole(found);
  const problems = await problemsOf(found, await findFaults(whole));
  if (problems.length > 0) throw toConfigError("ERR_CONFIG_INVALID", found.path, problems);
  const place = { foundDir: dirname(found.path), ownDir, userHome: options.home };
  return tighten(own, { said: found.toml.value, whole, place });
}
