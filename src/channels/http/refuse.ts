/** Why a request gets nothing. */
export function refuse(status: number, error: string): Response {
  return Response.json({ ok: false, error }, { status });
}

/** What there is instead of what was asked for. */
export function nothingAt(method: string, path: string): Response {
  return refuse(
    404,
    `there is no "${method} ${path}"; there are GET /healthz, /api/status, /api/inbox, /api/events, /api/change-sets/ID, /api/workspaces, /api/routines, /api/chats, /api/traces, /api/report, /api/settings/config, /api/doctor, /api/log, /api/people, /api/browsers, /api/spending, /api/work/ID, /metrics, POST /api/chat, /api/press`,
  );
}
