import type { PlanOptions } from "../../planner/plan.ts";
import type { ProtocolVersion } from "../../protocol/version.ts";
import type { CliContext } from "../context.ts";
import { type Parsed, usageError } from "../parse.ts";

/** `--protocol 1|2|3`, which wins over the environment and the configuration. */
export const PROTOCOL_OPTION = { protocol: { type: "string" } } as const;

/** The named version, or undefined. Throws ERR_USAGE for one that there is not. */
export function readProtocol(parsed: Parsed, context: CliContext): ProtocolVersion | undefined {
  const text = parsed.text("protocol");
  switch (text) {
    case undefined:
      return undefined;
    case "1":
      return 1;
    case "2":
      return 2;
    case "3":
      return 3;
    default:
      throw usageError(`Cannot use the protocol "${text}": it is 1, 2 or 3`, context);
  }
}

/** What a command line says of a plan besides its goal. */
export function planOptions(parsed: Parsed, context: CliContext): PlanOptions {
  const protocolVersion = readProtocol(parsed, context);
  return { signal: context.signal, ...(protocolVersion && { protocolVersion }) };
}
