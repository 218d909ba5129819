import { AppError } from "../../core/app-error.ts";
import { sha256 } from "../../core/sha256.ts";
import { globOf, type Routine } from "../../routines/routine.ts";
import { readFingerprint } from "../../workspace/fingerprint.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/** Where to look for changes. */
export interface ChangePlaces {
  readonly workspace: (name: string) => Workspace;
  /** Private hosts that may be asked. */
  readonly allowedHosts: readonly string[];
}

const FETCH_TIMEOUT_MS = 30_000;
const MOST_BYTES = 5 * 1024 * 1024;
const MOST_REDIRECTS = 5;

/**
 * A mark that changes exactly when what a routine watches does: the files of its workspace, those
 * that fit a glob, or what an address answers. Undefined when it runs whether anything changed or
 * not.
 *
 * @throws AppError when it cannot be looked at: nothing is known then.
 */
export async function readChangeMark(
  { onlyIfChanged, workspace }: Routine,
  places: ChangePlaces,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (onlyIfChanged === false) return undefined;
  if (onlyIfChanged !== true && onlyIfChanged.startsWith("url:")) {
    return hashAnswer(onlyIfChanged.slice(4), places, signal);
  }
  if (workspace === undefined) return undefined;
  const { root } = places.workspace(workspace);
  return readFingerprint(root, signal, globOf({ onlyIfChanged }));
}

async function hashAnswer(
  url: string,
  { allowedHosts }: ChangePlaces,
  signal: AbortSignal,
): Promise<string> {
  const { fetchGuarded } = await import("../../http/fetch-guarded.ts");
  const bounds = { timeoutMs: FETCH_TIMEOUT_MS, maxBytes: MOST_BYTES };
  const answer = await fetchGuarded({
    url,
    allowedHosts,
    ...bounds,
    maxRedirects: MOST_REDIRECTS,
    signal,
  });
  if (!answer.ok) throw new AppError("unavailable", answer.message);
  if (answer.status >= 400) throw new AppError("unavailable", `${url} answers ${answer.status}`);
  return sha256(answer.body);
}
