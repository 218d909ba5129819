/** Why a request gets nothing. */
export function refuse(status: number, error: string): Response {
  return Response.json({ ok: false, error }, { status });
}

/** Why a request gets nothing for a moment; who tries again in a second may be lucky (RFC 9110, 10.2.3). */
export function busy(error: string): Response {
  return Response.json({ ok: false, error }, { status: 503, headers: { "retry-after": "1" } });
}

/** What there is instead of what was asked for. */
export function nothingAt(method: string, path: string): Response {
  return refuse(
    404,
    `there is no "${method} ${path}"; there are GET /healthz, /api/status, /api/inbox, /api/events, /api/change-sets/ID, /api/workspaces, /api/routines, /api/chats, /api/traces, /api/report, /api/settings/config, /api/doctor, /api/log, /api/people, /api/browsers, /api/spending, /api/work/ID, /metrics, POST /api/chat, /api/press`,
  );
}
