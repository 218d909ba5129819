import { AppError } from "../../core/app-error.ts";
import { firstOf } from "../../core/few.ts";
import { type KeyPath, renderKey } from "../schema/schema.ts";

/** One fault of a configuration, for people and for editors. */
export interface ConfigProblem {
  /** As shown: relative to where the command runs, or "environment". */
  readonly file: string;
  /** Counted from 1; 0 where there is none. */
  readonly line: number;
  /** e.g. `agent.max_tool_iterations` or a variable's name; "" for the file as a whole. */
  readonly key: string;
  /** What was found and what is allowed; no full stop. */
  readonly message: string;
}

/** A fault before its line is known. */
export interface Fault {
  readonly path: KeyPath;
  readonly message: string;
}

const MAX_SHOWN = 50;

/**
 * All problems of a configuration as one error, one line each: `config.toml:12: key: message`.
 * `details` holds them as `problems`, next to the absolute `path` of the file.
 */
export function toConfigError(
  code: "ERR_CONFIG_PARSE" | "ERR_CONFIG_INVALID" | "ERR_SECRET_UNAVAILABLE",
  path: string | undefined,
  problems: readonly ConfigProblem[],
): AppError {
  const shown = firstOf(problems, MAX_SHOWN);
  const lines = shown.lines(renderProblem, (left) => `and ${left} more`);
  const details = { path, problems };
  return new AppError(code, lines.join("\n"), { details });
}

/** What is wrong with a file that the owner trusted, and what to do: nothing replaces it. */
export function toTrustedError(cause: AppError, shown: string): AppError {
  const advice = `${shown}: you trusted this file, so that none is taken in its place; repair it, take it away, or give another by --config`;
  const { code, message, details } = cause;
  return new AppError(code, `${message}\n${advice}`, { cause, details });
}

/** One problem as one line. */
export function renderProblem({ file, line, key, message }: ConfigProblem): string {
  const place = line === 0 ? file : `${file}:${line}`;
  return key === "" ? `${place}: ${message}` : `${place}: ${key}: ${message}`;
}

/** Faults as problems of one file, by line; `lineOf` tells where a key is. */
export function toProblems(
  faults: readonly Fault[],
  file: string,
  lineOf: (path: KeyPath) => number,
): ConfigProblem[] {
  return faults
    .map(({ path, message }) => ({ file, line: lineOf(path), key: renderKey(path), message }))
    .toSorted((a, b) => a.line - b.line);
}
