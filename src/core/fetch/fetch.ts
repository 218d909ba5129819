import type { Environment } from "../environment.ts";

export { type BodyBound, boundBody } from "./bound-body.ts";

/** What fetches. */
export type Fetch = (url: string | URL | Request, init?: RequestInit) => Promise<Response>;

/**
 * The machine's own fetch, which goes by the proxy that the environment names; but what listens on
 * this machine is never asked by one: no other machine can reach it, and some proxy would be told all
 * that is said to it.
 */
export const fetchDirectly: Fetch = (url, init) => {
  const address = typeof url === "object" && "url" in url ? url.url : String(url);
  if (!isHere(address)) return fetch(url, init);
  const direct: RequestInit = { ...init };
  // The runtime knows it, its types do not: no proxy, whatever the environment says.
  Object.assign(direct, { proxy: false });
  return fetch(url, direct);
};

/** The variable that names the proxy by which an address is asked; its value may hold a password. */
export function proxyVariable(address: string, env: Environment = process.env): string | undefined {
  const url = URL.parse(address);
  if (!url || isHere(address) || isExempt(url, env)) return undefined;
  const name = url.protocol === "https:" ? "https_proxy" : "http_proxy";
  return [name, name.toUpperCase()].find((each) => (env[each] ?? "") !== "");
}

/** `localhost` with all names below it, and the addresses of this machine that all machines have. */
function isHere(address: string): boolean {
  const host = URL.parse(address)?.hostname ?? "";
  return /^(?:(?:.+\.)?localhost\.?|127\.[\d.]+|0\.0\.0\.0|\[::1?\]|\[::ffff:7f[\da-f:]+\])$/u.test(
    host,
  );
}

/** NO_PROXY: names with all below them, some with a port; `*` is every one. */
function isExempt({ hostname, port, protocol }: URL, env: Environment): boolean {
  const withPort = `${hostname}:${port || (protocol === "https:" ? 443 : 80)}`;
  const names = (env["no_proxy"] || env["NO_PROXY"] || "").split(",").map((name) => name.trim());
  return names.some((name) => {
    const bare = name.replace(/^\*?\./u, "").toLowerCase();
    const isNamed =
      bare !== "" && [hostname, withPort].some((each) => `.${each}`.endsWith(`.${bare}`));
    return name === "*" || isNamed;
  });
}
