import { misuse, refuse } from "../refuse.ts";
import type { RoutineFacts } from "./facts.ts";
import { decodePart, MOST_ON_PAGE, sendFound, toLimit } from "./found.ts";

const RUNS = /^\/api\/routines\/([^/]{1,1024})\/runs$/u;

/** Routines and their runs; undefined: the path asks for nothing of them. */
export function readRoutines(
  facts: RoutineFacts,
  path: string,
  query: URLSearchParams,
): Response | undefined {
  if (path === "/api/routines") return sendFound(facts.list());
  const [, name] = RUNS.exec(path) ?? [];
  if (name === undefined) return undefined;
  const before = query.get("before") ?? undefined;
  const limit = toLimit(query);
  const isRight = before === undefined || /^\d{1,15}$/u.test(before);
  if (!isRight || limit === undefined) {
    return misuse(400, `"before" is the "older" of a page, "limit" 1 to ${MOST_ON_PAGE}`);
  }
  const at = before === undefined ? undefined : Number(before);
  const found = facts.runs(decodePart(name), { before: at, limit });
  return found ? sendFound(found) : refuse(404, (say) => say.noRoutine);
}
