import ipaddr from "ipaddr.js";

/**
 * Where an address is: `public` is the internet, `private` a network that an owner may open by
 * name, `closed` what nobody may reach: metadata services, link-local, multicast, reserved.
 */
export type AddressScope = "public" | "private" | "closed";

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Range = readonly [network: string, prefixLength: number];

/** Fixed addresses of cloud metadata and host agents; some are in ranges that look usable. */
const METADATA: readonly Range[] = [
  ["168.63.129.16", 32], // Azure
  ["100.100.100.200", 32], // Alibaba
  ["192.0.0.192", 32], // Oracle classic
  ["fd00:ec2::", 32], // AWS
  ["fd20:ce::254", 128], // Google
  ["fd00:42::42", 128], // Scaleway
];

/** Ranges of the IANA special-purpose registries that a local network is built from. */
const PRIVATE = new Set(["loopback", "private", "carrierGradeNat", "uniqueLocal"]);

/** Special-purpose ranges of IPv4 that the registry calls globally reachable. */
const REACHABLE = new Set(["unicast", "as112", "amt"]);

/** IPv6 hands out public addresses from here only, less what is cut out below. */
const GLOBAL_UNICAST: Range = ["2000::", 3];

/** Protocol assignments (Teredo, ORCHID, benchmarks) and documentation inside 2000::/3. */
const NOT_GLOBAL: readonly Range[] = [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["3fff::", 20],
];

/** IPv6 addresses that carry an IPv4 address and end up there, with its first byte. */
const EMBEDDING: readonly (readonly [range: Range, offset: number])[] = [
  [["::ffff:0:0", 96], 12], // mapped
  [["64:ff9b::", 96], 12], // NAT64
  [["2002::", 16], 2], // 6to4
];

/** The scope of an address in canonical notation; undefined for a host name. */
export function checkAddress(text: string): AddressScope | undefined {
  const address = parseAddress(text);
  if (address === undefined) return undefined;
  if (METADATA.some((range) => isIn(address, range))) return "closed";
  return isIPv4(address) ? checkIPv4(address) : checkIPv6(address);
}

/** Only the four-part decimal form of IPv4: the URL parser has turned every other into it. */
function parseAddress(text: string): Address | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  return ipaddr.IPv6.isValid(text) ? ipaddr.IPv6.parse(text) : undefined;
}

function checkIPv4(address: ipaddr.IPv4): AddressScope {
  const range = address.range();
  if (REACHABLE.has(range)) return "public";
  return PRIVATE.has(range) ? "private" : "closed";
}

function checkIPv6(address: ipaddr.IPv6): AddressScope {
  if (address.zoneId) return "closed";
  const embedded = findEmbedded(address);
  if (embedded !== undefined) return checkAddress(embedded) ?? "closed";
  if (PRIVATE.has(address.range())) return "private";
  const isGlobal = isIn(address, GLOBAL_UNICAST) && !NOT_GLOBAL.some((r) => isIn(address, r));
  return isGlobal ? "public" : "closed";
}

function findEmbedded(address: ipaddr.IPv6): string | undefined {
  const found = EMBEDDING.find(([range]) => isIn(address, range));
  if (found === undefined) return undefined;
  const [, offset] = found;
  return address
    .toByteArray()
    .slice(offset, offset + 4)
    .join(".");
}

function isIn(address: Address, [network, prefixLength]: Range): boolean {
  const base = ipaddr.parse(network);
  return base.kind() === address.kind() && address.match(base, prefixLength);
}

function isIPv4(address: Address): address is ipaddr.IPv4 {
  return address.kind() === "ipv4";
}
