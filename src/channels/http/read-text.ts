import { boundBody } from "../../core/fetch/fetch.ts";
import { unlessAborted } from "../../core/until-aborted.ts";
import { refuse } from "./refuse.ts";

/** The body of a request, or why it is not taken: it is too long, or does not come. */
export async function readText(
  request: Request,
  { maxBytes, withinMs }: { readonly maxBytes: number; readonly withinMs: number },
): Promise<string | Response> {
  const late = AbortSignal.timeout(withinMs);
  const tooLong = new Error("the body is too long");
  const body = boundBody(new Response(request.body), { maxBytes, tooLong: () => tooLong });
  return unlessAborted(late, body.text()).catch((error: unknown) => {
    if (late.aborted) return refuse(408, (say) => say.bodyLate);
    if (error === tooLong) return refuse(413, (say) => say.bodyTooLong(maxBytes));
    throw error;
  });
}
