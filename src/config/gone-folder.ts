import { AppError } from "../core/app-error.ts";
import { isTable } from "./value-at.ts";

/** A configured folder that is not there. */
export interface GoneFolder {
  readonly name: string;
  readonly path: string;
  /** The configuration that has it. */
  readonly file: string;
}

/** Which folder it was, where a workspace was not found since a configured one is not there. */
export function goneFolder(error: unknown): GoneFolder | undefined {
  const { gone: found } = error instanceof AppError ? error.details : {};
  if (!isTable(found)) return undefined;
  const { name, path, file } = found;
  return { name: String(name), path: String(path), file: String(file) };
}
