import { AppError } from "../../../core/app-error.ts";
import { toErrorText } from "../../error-text.ts";
import { misuse, refuse } from "../refuse.ts";
import type { TraceFacts, TracePage } from "./facts.ts";
import { MOST_ON_PAGE, sendFound, toLimit } from "./found.ts";

const MOST_DAYS = 366;
const DAYS = 30;

const ONE = /^\/api\/traces\/([\w-]{1,128})$/u;
const PLACE = /^trace_[0-9a-z]{9,16}(?:~[\w-]{1,128})?$/u;
const MODE = /^(?:plan|apply|chat)$/u;
const WORD = /^\w{1,64}$/u;
/** Of a name that a model or a workspace has. */
const MOST_NAME_CHARS = 256;

/** Traces and their report; undefined: the path asks for nothing of them. */
export async function readTraces(
  facts: TraceFacts,
  path: string,
  query: URLSearchParams,
): Promise<Response | undefined> {
  try {
    return await read(facts, path, query);
  } catch (error) {
    if (error instanceof Error && error.name === "TimeoutError")
      return refuse(503, (say) => say.tooManyTraces);
    if (error instanceof AppError && error.code === "ERR_IO")
      return refuse(422, (_, texts) => toErrorText(error, texts, "owner"));
    throw error;
  }
}

async function read(
  facts: TraceFacts,
  path: string,
  query: URLSearchParams,
): Promise<Response | undefined> {
  const workspace = query.get("workspace") ?? undefined;
  if (path === "/api/traces") {
    const page = toPage(query);
    return typeof page === "string" ? misuse(400, page) : send(await facts.list(page));
  }
  if (path === "/api/report") {
    const said = query.get("days") ?? String(DAYS);
    const days = /^\d{1,3}$/u.test(said) ? Number(said) : 0;
    if (days < 1 || days > MOST_DAYS) {
      return misuse(400, `"days" is 1 to ${MOST_DAYS}`);
    }
    return send(await facts.report(days, workspace));
  }
  const [, id] = ONE.exec(path) ?? [];
  return id === undefined ? undefined : send(await facts.read(id, workspace));
}

function send(found: Readonly<Record<string, unknown>> | undefined): Response {
  if (!found) return refuse(404, (say) => say.noTrace);
  return sendFound(found);
}

/** What is asked for, or what is wrong with that. */
function toPage(query: URLSearchParams): TracePage | string {
  const of = (name: string) => query.get(name) ?? undefined;
  const [before, mode, protocol, errorCode] = [
    of("before"),
    of("mode"),
    of("protocol"),
    of("error_code"),
  ];
  const limit = toLimit(query);
  if (before !== undefined && !PLACE.test(before)) return '"before" is the "older" of a page';
  if (limit === undefined) return `"limit" is 1 to ${MOST_ON_PAGE}`;
  if (mode !== undefined && !MODE.test(mode)) return '"mode" is plan, apply or chat';
  if (protocol !== undefined && !/^v[123]$/u.test(protocol)) return '"protocol" is v1, v2 or v3';
  if (errorCode !== undefined && !WORD.test(errorCode)) return '"error_code" is a code, or any';
  const [model, workspace] = [of("model"), of("workspace")];
  if ((model ?? "").length > MOST_NAME_CHARS) return '"model" is too long for a name';
  return { before, limit, mode, model, protocol, errorCode, workspace };
}
