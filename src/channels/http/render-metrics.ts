/** The part of a status that is worth a graph. */
export interface MeasuredStatus {
  readonly uptime_s: number;
  readonly rss_bytes: number;
  readonly sessions: number;
  readonly pending_approvals: number;
  readonly channels: Readonly<Record<string, Readonly<Record<string, string | number | null>>>>;
}

/** A status in the text format of Prometheus. */
export function renderMetrics(status: MeasuredStatus): string {
  const { uptime_s, rss_bytes, sessions, pending_approvals, channels } = status;
  const gauges = Object.entries({
    papayu_uptime_seconds: uptime_s,
    papayu_resident_memory_bytes: rss_bytes,
    papayu_sessions: sessions,
    papayu_pending_approvals: pending_approvals,
  }).flatMap(([name, value]) => [`# TYPE ${name} gauge`, `${name} ${value}`]);
  const states = Object.entries(channels).flatMap(([channel, state]) =>
    Object.entries(state).flatMap(([key, value]) =>
      typeof value === "number"
        ? [`papayu_channel{channel="${channel}",figure="${key}"} ${value}`]
        : [],
    ),
  );
  return [...gauges, "# TYPE papayu_channel gauge", ...states, ""].join("\n");
}
