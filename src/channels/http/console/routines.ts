import { refuse } from "../refuse.ts";
import type { RoutineFacts } from "./facts.ts";

const PAGE = 50;
const MOST = 200;
const RUNS = /^\/api\/routines\/([^/]{1,1024})\/runs$/u;

/** Routines and their runs; undefined: the path asks for nothing of them. */
export function readRoutines(
  facts: RoutineFacts,
  path: string,
  query: URLSearchParams,
): Response | undefined {
  if (path === "/api/routines") return send(facts.list());
  const [, name] = RUNS.exec(path) ?? [];
  if (name === undefined) return undefined;
  const before = query.get("before") ?? undefined;
  const limit = query.get("limit") ?? String(PAGE);
  const isRight = before === undefined || /^\d{1,15}$/u.test(before);
  if (!isRight || !/^\d{1,3}$/u.test(limit) || Number(limit) < 1 || Number(limit) > MOST) {
    return refuse(400, `"before" is the "older" of a page, "limit" 1 to ${MOST}`);
  }
  const at = before === undefined ? undefined : Number(before);
  const found = facts.runs(toName(name), { before: at, limit: Number(limit) });
  return found ? send(found) : refuse(404, "there is no such routine, nor a run of one");
}

function send(found: Readonly<Record<string, unknown>>): Response {
  return Response.json({ ok: true, ...found }, { headers: { "cache-control": "no-store" } });
}

function toName(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return "";
  }
}
