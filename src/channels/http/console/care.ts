import { AppError } from "../../../core/app-error.ts";
import { refuse } from "../refuse.ts";
import type { CareFacts } from "./facts.ts";

/** What is asked for, and until when it is worth an answer. */
interface AskedCare {
  readonly method: string;
  readonly path: string;
  readonly end: AbortSignal;
}

/** What keeps the daemon well; undefined: the path asks for nothing of it. */
export async function answerCare(
  facts: CareFacts,
  { method, path, end }: AskedCare,
): Promise<Response | undefined> {
  if (method === "GET" && path === "/api/doctor") {
    try {
      return send(await facts.doctor.look(end));
    } catch (error) {
      if (error instanceof AppError) return refuse(503, error.message);
      throw error;
    }
  }
  return undefined;
}

function send(found: Readonly<Record<string, unknown>>): Response {
  return Response.json({ ok: true, ...found }, { headers: { "cache-control": "no-store" } });
}
