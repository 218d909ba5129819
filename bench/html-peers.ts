import { join } from "node:path";

/** A way from HTML to text that may not be there. */
export interface HtmlPeer {
  readonly name: string;
  readonly toText: (html: string) => string;
}

/** Where packages are looked for that the project does not install; see `bench/html.ts`. */
const FOLDER = process.env["BENCH_PEERS"] ?? "";

/**
 * turndown, and Readability with linkedom, where the folder that BENCH_PEERS names has them in its
 * `node_modules`; what is missing is named.
 */
export async function loadPeers(): Promise<{
  readonly peers: readonly HtmlPeer[];
  readonly missing: readonly string[];
}> {
  const found = await Promise.all([loadTurndown(), loadReadability()]);
  return {
    peers: found.flatMap((peer) => (typeof peer === "string" ? [] : [peer])),
    missing: found.filter((peer) => typeof peer === "string"),
  };
}

async function loadTurndown(): Promise<HtmlPeer | string> {
  const turndown = await load("turndown");
  if (turndown === undefined) return "turndown";
  const service = construct(turndown["default"]);
  return { name: "turndown", toText: (html) => String(call(service, "turndown", html)) };
}

async function loadReadability(): Promise<HtmlPeer | string> {
  const [readability, linkedom] = await Promise.all([
    load("@mozilla/readability"),
    load("linkedom"),
  ]);
  if (readability === undefined || linkedom === undefined)
    return "@mozilla/readability with linkedom";
  const toText = (html: string) => {
    const { document } = Object(call(linkedom, "parseHTML", html));
    return String(
      Object(call(construct(readability["Readability"], document), "parse")).textContent ?? "",
    );
  };
  return { name: "Readability", toText };
}

type Loaded = Readonly<Record<string, unknown>>;

async function load(name: string): Promise<Loaded | undefined> {
  if (FOLDER === "") return undefined;
  try {
    return await import(Bun.resolveSync(name, join(FOLDER, "x.js")));
  } catch {
    return undefined;
  }
}

function construct(constructor: unknown, ...args: readonly unknown[]): object {
  if (typeof constructor !== "function") throw new Error("no class");
  return Object(Reflect.construct(constructor, args));
}

function call(target: object, method: string, ...args: readonly unknown[]): unknown {
  const found: unknown = Reflect.get(target, method);
  if (typeof found !== "function") throw new Error(`no ${method}`);
  return Reflect.apply(found, target, args);
}
