import type { ErrorCode } from "../core/error-codes.ts";
import type { ProtocolVersion } from "./version.ts";

/** What an apply does about a fault that another version of the protocol may get around. */
interface Step {
  /** The version that is asked next. */
  readonly to: ProtocolVersion;
  /** Whether a repair under the same version is tried before. */
  readonly repairFirst: boolean;
}

const PATCH: Step = { to: 1, repairFirst: true };
const EDIT: Step = { to: 2, repairFirst: true };

/** Every other fault is repaired once, or is final: a changed file needs a new plan. */
const LADDER: Partial<Readonly<Record<ErrorCode, Step>>> = {
  ERR_PATCH_APPLY_FAILED: PATCH,
  ERR_PATCH_AMBIGUOUS: PATCH,
  ERR_V2_UPDATE_EXISTING_FORBIDDEN: PATCH,
  ERR_NON_UTF8_FILE: { to: 1, repairFirst: false },
  ERR_EDIT_ANCHOR_NOT_FOUND: EDIT,
  ERR_EDIT_BEFORE_NOT_FOUND: EDIT,
  ERR_EDIT_AMBIGUOUS: EDIT,
  ERR_EDIT_APPLY_FAILED: { to: 2, repairFirst: false },
};

/**
 * Most requests of one apply, in the worst case: the answer, its repair, a fallback, its repair.
 */
export const MOST_APPLY_REQUESTS = 4;

/** The next lower version to ask after `code` under `version`, or undefined: the fault is final. */
export function fallbackVersion(
  code: ErrorCode,
  version: ProtocolVersion,
): ProtocolVersion | undefined {
  const to = LADDER[code]?.to;
  return to !== undefined && to < version ? to : undefined;
}

/**
 * Whether a repair is tried: not where only another version helps, and not where it would take
 * the request that the rest of the ladder needs.
 */
export function mayRepair(
  code: ErrorCode,
  state: {
    readonly version: ProtocolVersion;
    /** Requests of this apply so far. */
    readonly requests: number;
    readonly fallback: boolean;
  },
): boolean {
  const to = fallbackVersion(code, state.version);
  if (to === undefined) return state.requests < MOST_APPLY_REQUESTS;
  if (!state.fallback) return state.requests < MOST_APPLY_REQUESTS;
  return LADDER[code]?.repairFirst === true && state.requests + to < MOST_APPLY_REQUESTS;
}
