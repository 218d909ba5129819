import { AppError, errorMessage } from "../../core/app-error.ts";
import { findTree } from "../../system/processes/processes.ts";
import { type CommandResult, runCommand } from "../../system/run/run.ts";
import { createOverlay } from "../../system/sandbox/overlay/overlay.ts";
import type { SandboxState } from "../../system/sandbox/sandbox.ts";
import type { ChangeSet } from "../change.ts";
import { fillUpper } from "./fill.ts";
import { createTurns } from "./in-turns.ts";
import { findKept, keepQuietly } from "./kept.ts";
import type { NoView, View, ViewCommand } from "./opened.ts";
import { removeFolder } from "./remove-folder.ts";
import { findSideEffects } from "./side-effects.ts";
import { makeViewFolder } from "./view-folder.ts";

/** What an overlay view is made from. */
export interface OverlayRequest {
  /** Of the workspace. */
  readonly root: string;
  readonly viewsDir: string;
  readonly changeSet: ChangeSet | undefined;
  /** Globs of the workspace, besides those that hold everywhere. */
  readonly protectedPaths: readonly string[];
  readonly sandbox: Extract<SandboxState, { kind: "bwrap" }>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
}

/** How long what was killed may take to be gone, and how often that is looked at. */
const GONE_MS = 2000;
const LOOK_MS = 5;

/** What shows whether one works, and how long that may take. */
const TRIAL = ["/bin/sh", "-c", ":"];
const TRIAL_MS = 10_000;

/**
 * A view by overlayfs, at the folder's own path; none when not even an empty command runs in it.
 * That is tried once for each folder, and again when one failed.
 *
 * @throws AppError ERR_CHANGE_SET_STALE or ERR_IO, when nothing of it is left
 */
export async function createOverlayView(request: OverlayRequest): Promise<View | NoView> {
  const { root, viewsDir, changeSet, sandbox, env } = request;
  const folder = makeViewFolder(viewsDir);
  const kept = await orRemove(folder, () => findKept({ ...request, folder }));
  const begin = () => {
    const layers = kept.layer === undefined ? [] : [`../${kept.layer}`];
    const made = createOverlay({ root, folder, layers, env });
    fillUpper(root, made.upper, changeSet);
    return made;
  };
  const overlay = await orRemove(folder, begin);

  const place = `a view of ${root} with ${kept.layer === undefined ? 1 : 2} layers in ${viewsDir}`;
  const runNow = async ({ room, mark = crypto.randomUUID(), ...command }: ViewCommand) => {
    const result = await runCommand({
      ...command,
      mark,
      cwd: root,
      sandbox: overlay.wrap(sandbox.enclose(room)),
      limits: sandbox.limits,
      writable: [folder],
    });
    if (result.exitCode === null) await untilGone(mark);
    const failure = result.exitCode === null ? undefined : overlay.findFailure();
    if (failure === undefined) return result;
    sandbox.seen.delete(place);
    throw new AppError("ERR_IO", `Cannot open a view of "${root}": ${failure}`);
  };

  const inTurn = createTurns();
  let isClosed = false;
  const failure = sandbox.seen.has(place) ? undefined : await tryOut(request, runNow);
  if (failure === undefined) sandbox.seen.add(place);
  else {
    await removeFolder(folder);
    return { kind: "none", reason: failure };
  }
  let startedAtMs: number | undefined;
  return {
    kind: "overlay",
    root,
    run: (command): Promise<CommandResult> =>
      inTurn(() => {
        if (isClosed) throw new Error("the view is closed");
        startedAtMs ??= Date.now();
        return runNow(command);
      }),
    sideEffects: (aborting, since = changeSet) =>
      inTurn(() =>
        findSideEffects({
          ...request,
          changeSet: since,
          upper: overlay.upper,
          signal: aborting,
        }),
      ),
    keep: (until) =>
      inTurn(async () => {
        if (isClosed || startedAtMs === undefined) return;
        isClosed = true;
        const { upper } = overlay;
        await keepQuietly({ root, viewsDir, folder, upper, kept, changeSet, startedAtMs, until });
      }),
    [Symbol.asyncDispose]: () =>
      inTurn(async () => {
        isClosed = true;
        await removeFolder(folder);
      }),
  };
}

/** Why an empty command does not run in it. */
async function tryOut(
  { root, env, signal }: OverlayRequest,
  run: View["run"],
): Promise<string | undefined> {
  const room = { program: "/bin/sh", root, readOnly: [], writable: [], network: false };
  const bounds = { timeoutMs: TRIAL_MS, maxOutputBytes: 1024 };
  try {
    const { exitCode, output } = await run({ argv: TRIAL, env, signal, room, ...bounds });
    return exitCode === 0 ? undefined : output.trim() || "it takes too long to set up";
  } catch (error) {
    return errorMessage(error);
  }
}

async function orRemove<T>(folder: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await removeFolder(folder);
    throw error;
  }
}

/** The kernel lets go of the upper folder with the last process; the next command must find it free. */
async function untilGone(mark: string): Promise<void> {
  const end = performance.now() + GONE_MS;
  while (findTree(mark).length > 0 && performance.now() < end) await Bun.sleep(LOOK_MS);
}
