/** Names that only mean something inside a machine, a house, a company or a cluster. */
const LOCAL_SUFFIXES = [
  ".localhost",
  ".localdomain",
  ".local",
  ".internal",
  ".intranet",
  ".private",
  ".corp",
  ".home",
  ".lan",
  ".home.arpa",
  ".svc",
  ".cluster.local",
  ".test",
  ".onion",
] as const;

/** Metadata services of clouds: their answers are credentials, so no list opens them. */
const METADATA_NAMES: ReadonlySet<string> = new Set([
  "metadata",
  "instance-data",
  "metadata.google.internal",
  "metadata.azure.internal",
  "instance-data.ec2.internal",
  "metadata.goog",
  "metadata.tencentyun.com",
  "metadata.packet.net",
  "metadata.platformequinix.com",
]);

const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/u;

/** The host of a parsed URL as a resolver takes it: no brackets, no root dot. */
export function toHostName(url: URL): string {
  return url.hostname.replace(/^\[|\]$/gu, "").replace(/\.$/u, "");
}

/** Whether the owner listed this host; `.example.com` means every name below example.com. */
export function isAllowedHost(host: string, allowedHosts: readonly string[]): boolean {
  return allowedHosts.map(toEntry).some((entry) => {
    return entry.startsWith(".") ? host.endsWith(entry) : host === entry;
  });
}

/** Why a name may not be looked up at all, or undefined. */
export function checkHostName(host: string, isAllowed: boolean): string | undefined {
  if (METADATA_NAMES.has(host)) return `"${host}" is a metadata service`;
  const labels = host.split(".");
  if (host.length > 253 || !labels.every((label) => LABEL.test(label)))
    return `"${host}" is no host name`;
  if (isAllowed) return undefined;
  if (labels.length === 1 || LOCAL_SUFFIXES.some((suffix) => host.endsWith(suffix)))
    return `"${host}" is a name of the local network`;
  return undefined;
}

/** An entry of the list in the notation that {@link toHostName} gives, so that they compare. */
function toEntry(entry: string): string {
  const isSuffix = entry.startsWith(".");
  const host = isSuffix ? entry.slice(1) : entry;
  const bracketed = host.includes(":") && !host.startsWith("[") ? `[${host}]` : host;
  const url = URL.parse(`http://${bracketed}/`);
  if (url === null) return entry;
  return `${isSuffix ? "." : ""}${toHostName(url)}`;
}
