import type { Sandbox } from "../../system/sandbox/sandbox.ts";
import type { DoctorWords } from "../../texts/doctor/doctor.ts";
import type { Caller } from "../context.ts";

/** What workspaces are looked at with. */
export interface Machine {
  readonly env: Caller["env"];
  /** One for all of them: it is tried out once. */
  readonly sandbox: Sandbox;
  readonly signal: AbortSignal;
  /** No view is tried: to make one may mean to copy all of it. */
  readonly isLocal: boolean;
  readonly words: DoctorWords;
}
