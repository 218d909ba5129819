/** Why a request gets nothing. */
export function refuse(status: number, error: string): Response {
  return Response.json({ ok: false, error }, { status });
}
