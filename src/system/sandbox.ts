import { AppError } from "../core/app-error.ts";
import {
  BASE_OPTIONS,
  bubblewrapOptions,
  type SandboxRoom,
  type SandboxWorld,
} from "./bubblewrap.ts";
import { runCommand } from "./run-command.ts";

/** What the owner wants: "auto" takes what there is, "bwrap" is a demand. */
export type SandboxMode = "auto" | "bwrap" | "none";

/** What commands can run in: `toArgv` gives what to put in front of one. */
export type SandboxState =
  | { readonly kind: "bwrap"; readonly toArgv: (room: SandboxRoom) => readonly string[] }
  | { readonly kind: "none"; readonly reason: string };

/**
 * Says what commands will run in; call it before each.
 *
 * @throws AppError ERR_SANDBOX when one is demanded and does not work
 */
export type Sandbox = () => Promise<SandboxState>;

/** Options of {@link createSandbox}. */
export interface SandboxOptions extends SandboxWorld {
  readonly mode: SandboxMode;
}

const PROBE_TIMEOUT_MS = 5000;

/** A sandbox that is tried out at its first use. Success is remembered; a failure may be mended. */
export function createSandbox(options: SandboxOptions): Sandbox {
  let working: SandboxState | undefined;
  return async () => {
    if (working) return working;
    if (options.mode === "none") return { kind: "none", reason: "switched off" };
    const state = await probe(options);
    if (state.kind === "bwrap") working = state;
    else if (options.mode === "bwrap") throw demanded(state.reason);
    return state;
  };
}

async function probe(world: SandboxWorld): Promise<SandboxState> {
  if (process.platform !== "linux") return none("bubblewrap needs Linux");
  const { PATH = "" } = world.env;
  const program = Bun.which("bwrap", { PATH });
  if (!program) return none("bubblewrap is not installed");
  const { exitCode, output } = await runCommand({
    argv: [program, ...BASE_OPTIONS, "--unshare-net", "--", program, "--version"],
    cwd: "/",
    env: world.env,
    timeoutMs: PROBE_TIMEOUT_MS,
    signal: new AbortController().signal, // the time-out is short
    maxOutputBytes: 1024,
  });
  if (exitCode !== 0) return none(`bubblewrap does not work here: ${output.trim() || "no answer"}`);
  return { kind: "bwrap", toArgv: (room) => [program, ...bubblewrapOptions(room, world)] };
}

function none(reason: string): SandboxState {
  return { kind: "none", reason };
}

function demanded(reason: string): AppError {
  const what = `Cannot run checks: security.sandbox is "bwrap", but ${reason}`;
  return new AppError("ERR_SANDBOX", `${what}; install bubblewrap, or set it to "auto"`);
}
