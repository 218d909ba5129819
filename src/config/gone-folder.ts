import { AppError } from "../core/app-error.ts";
import { isTable } from "./value-at.ts";

/** A configured folder that is not there. */
export interface GoneFolder {
  readonly name: string;
  readonly path: string;
  /** The configuration that has it. */
  readonly file: string;
}

/** What an error about a workspace has in its details. */
export interface NamedWrongly {
  /** The configured names. */
  readonly known: readonly string[];
  /** What is wrong with the one that was named; without it none was. */
  readonly reason?: string;
}

/** What is wrong with a name where none is configured, "" where none was given; else undefined. */
export function wrongAmongNone({ code, details }: AppError): string | undefined {
  const { known, reason } = details;
  const isNone = code === "ERR_WORKSPACE_UNKNOWN" && Array.isArray(known) && known.length === 0;
  if (!isNone) return undefined;
  return typeof reason === "string" ? reason : "";
}

/** Which folder it was, where a workspace was not found since a configured one is not there. */
export function goneFolder(error: unknown): GoneFolder | undefined {
  const { gone: found } = error instanceof AppError ? error.details : {};
  if (!isTable(found)) return undefined;
  const { name, path, file } = found;
  return { name: String(name), path: String(path), file: String(file) };
}
