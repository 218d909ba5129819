import { lookup } from "node:dns/promises";
import { AppError } from "../../core/app-error.ts";
import { untilAborted } from "../../core/until-aborted.ts";
import { checkHostName, isAllowedHost, toHostName } from "../check-host.ts";
import { checkAddress } from "./check-address.ts";

const MAX_URL_LENGTH = 2048;
const RESOLVE_TIMEOUT_MS = 10_000;

/** Every address of a host name; an empty list or a rejection when there is none. */
export type Resolve = (host: string) => Promise<readonly string[]>;

/** Options of {@link checkUrl}. */
export interface CheckUrlOptions {
  /** Private hosts that are let through all the same: exact names, or `.suffix`. */
  readonly allowedHosts?: readonly string[] | undefined;
  /** Asks DNS; the machine's own resolver when absent. Never asked for an address literal. */
  readonly resolve?: Resolve | undefined;
}

/** Connect to one of `addresses` and to nothing else: a second look-up may answer otherwise. */
export type UrlVerdict =
  | { readonly allowed: true; readonly addresses: readonly string[] }
  | { readonly allowed: false; readonly reason: string };

/**
 * Checks an address that a model, a page or a search result named: only http and https, only web
 * ports, only hosts whose every DNS answer is a public address.
 */
export async function checkUrl(url: string, options: CheckUrlOptions = {}): Promise<UrlVerdict> {
  const checked = await checkUrlToFetch(url, options);
  return checked.kind === "allowed"
    ? { allowed: true, addresses: checked.addresses }
    : { allowed: false, reason: checked.reason };
}

/** A checked address; a host that DNS does not know is no breach of policy, only out of reach. */
export type CheckedUrl =
  | { readonly kind: "allowed"; readonly url: URL; readonly addresses: readonly string[] }
  | { readonly kind: "refused" | "unresolved"; readonly reason: string };

/** {@link checkUrl} for callers that connect: the parsed address, and why it may not be used. */
export async function checkUrlToFetch(text: string, options: CheckUrlOptions): Promise<CheckedUrl> {
  const checked = checkWithoutDns(text, options.allowedHosts ?? []);
  if (typeof checked === "string") return { kind: "refused", reason: checked };
  const { url, host, isAllowed } = checked;
  return checkAddresses(url, host, isAllowed, options.resolve ?? systemResolve);
}

/** Why nobody may call an address, as far as that is known without asking DNS. */
export function refuseUrl(text: string, allowedHosts: readonly string[]): string | undefined {
  const checked = checkWithoutDns(text, allowedHosts);
  if (typeof checked === "string") return checked;
  const scope = checkAddress(checked.host);
  if (scope === undefined || scope === "public") return undefined;
  return scope === "private" && checked.isAllowed ? undefined : `"${checked.host}" is not public`;
}

function checkWithoutDns(text: string, allowedHosts: readonly string[]) {
  const url = parseWebUrl(text);
  if (typeof url === "string") return url;
  const host = toHostName(url);
  const isAllowed = isAllowedHost(host, allowedHosts);
  return refuseEndpoint(url, host, isAllowed) ?? { url, host, isAllowed };
}

/** The parsed address, or why it is none that may be fetched; says nothing about its host. */
export function parseWebUrl(text: string): URL | string {
  if (text.length > MAX_URL_LENGTH) return `it is longer than ${MAX_URL_LENGTH} characters`;
  const url = URL.parse(text);
  if (url === null) return "it is not a complete URL";
  if (url.protocol !== "http:" && url.protocol !== "https:")
    return `only http and https are fetched, not "${url.protocol}"`;
  if (url.username !== "" || url.password !== "") return "it carries a user name or password";
  return url;
}

function refuseEndpoint(url: URL, host: string, isAllowed: boolean): string | undefined {
  if (!isAllowed && !isWebPort(url.port)) return `port ${url.port} is not one of the web`;
  if (checkAddress(host) !== undefined) return undefined;
  return checkHostName(host, isAllowed);
}

async function checkAddresses(
  url: URL,
  host: string,
  isAllowed: boolean,
  resolve: Resolve,
): Promise<CheckedUrl> {
  const addresses = await findAddresses(host, resolve);
  if (addresses.length === 0) return { kind: "unresolved", reason: `DNS does not know "${host}"` };
  for (const address of addresses) {
    const scope = checkAddress(address);
    if (scope === "public" || (scope === "private" && isAllowed)) continue;
    return { kind: "refused", reason: `"${host}" leads to "${address}", which is not public` };
  }
  return { kind: "allowed", url, addresses };
}

/** No answer and a failed look-up come to the same: there is nothing to connect to. */
async function findAddresses(host: string, resolve: Resolve): Promise<readonly string[]> {
  if (checkAddress(host) !== undefined) return [host];
  return resolve(host).catch(() => []);
}

/** Asks the machine's resolver, which knows /etc/hosts as well as DNS. */
async function systemResolve(host: string): Promise<readonly string[]> {
  const late = untilAborted(AbortSignal.timeout(RESOLVE_TIMEOUT_MS)).then(() => {
    throw new AppError("timeout", `Cannot resolve "${host}": no answer in time`);
  });
  const found = await Promise.race([lookup(host, { all: true }), late]);
  return found.map(({ address }) => address);
}

/** Ports above 1023 where something else than a web server usually listens. */
const SERVICE_PORTS: ReadonlySet<number> = new Set([
  // Databases, caches, queues and their coordinators
  1433, 1521, 1883, 2181, 2379, 2380, 3306, 5432, 5671, 5672, 6379, 7000, 7001, 7199, 7687, 8883,
  9042, 9092, 9160, 9200, 9300, 11_211, 27_017, 27_018, 27_019, 61_616,
  // Remote control of machines, containers and clusters
  2375, 2376, 3389, 4369, 5900, 5901, 5902, 5903, 5985, 5986, 6443, 8500, 10_250, 10_255, 10_256,
  // Mail, calls, chat, file sharing and displays: what browsers refuse
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669,
  6679, 6697, 10_080,
]);

/** Whether a URL's port (empty: the scheme's own) is one where web servers are found. */
function isWebPort(port: string): boolean {
  if (port === "" || port === "80" || port === "443") return true;
  const number = Number(port);
  return number >= 1024 && !SERVICE_PORTS.has(number);
}
