import { lookup } from "node:dns/promises";
import { AppError } from "../../core/app-error.ts";
import { untilAborted } from "../../core/until-aborted.ts";

const RESOLVE_TIMEOUT_MS = 10_000;

/** Every address of a host name; an empty list or a rejection when there is none. */
export type Resolve = (host: string) => Promise<readonly string[]>;

/** Asks the machine's resolver, which knows /etc/hosts as well as DNS. */
export async function systemResolve(host: string): Promise<readonly string[]> {
  const late = untilAborted(AbortSignal.timeout(RESOLVE_TIMEOUT_MS)).then(() => {
    throw new AppError("timeout", `Cannot resolve "${host}": no answer in time`);
  });
  const found = await Promise.race([lookup(host, { all: true }), late]);
  return found.map(({ address }) => address);
}
