/** The versions of the plan/apply protocol: whole files, patches, anchored edits. */
export type ProtocolVersion = 1 | 2 | 3;

/** How a version is called in traces, logs and reports. */
export function versionName(version: ProtocolVersion): `v${ProtocolVersion}` {
  return `v${version}`;
}
