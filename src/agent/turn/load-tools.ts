import { failure, type Tool, type ToolArguments, type ToolResult } from "../../tools/tool.ts";

/** What loads rare tools. */
export interface Loader {
  readonly loader: Tool;
  /** Whether a model may be told the name of a tool now: a stranger's may say something. */
  readonly isTold: (tool: Tool) => boolean;
}

/**
 * `load_tools`: makes the schemas of rare tools part of the following requests. What strangers call
 * theirs is in no request but for a few short names; all of a server's are in an answer, which is
 * theirs.
 */
export function createLoader(rare: readonly Tool[], offer: (name: string) => void): Loader {
  const own = rare.filter(({ wordedBy }) => wordedBy === undefined);
  const servers = Map.groupBy(
    rare.filter(({ server }) => server !== undefined),
    ({ server }) => server?.name ?? "",
  );
  const listed = new Set<string>();
  const isTold = (tool: Tool) =>
    !isStrangers(tool) || tool.server?.isNamed === true || listed.has(tool.server?.name ?? "");

  function listServer(name: string): ToolResult {
    const tools = servers.get(name);
    if (!tools) {
      const known = [...servers.keys()].join(", ");
      return failure(
        "not_found",
        `there is no MCP server "${name}" with tools; there are: ${known}`,
      );
    }
    listed.add(name);
    const content = `Load those that you need by names:\n${tools.map(toEntry).join("\n")}`;
    return { ok: true, content, origin: tools.some(isStrangers) ? "outside" : "own" };
  }

  async function load(wanted: readonly string[]): Promise<ToolResult> {
    const names = new Set(rare.map(({ schema }) => schema.name));
    const found = wanted.filter((name) => names.has(name));
    found.forEach(offer);
    const unknown = wanted.filter((name) => !names.has(name));
    const { toUnknown } = await import("./unknown-tool.ts");
    const schemas = rare.filter(isTold).map(({ schema }) => schema);
    const problem = unknown.map((name) => toUnknown(name, schemas).error).join("; ");
    if (found.length > 0) {
      const content = `Loaded, call them now: ${found.join(", ")}`;
      return { ok: true, content: problem === "" ? content : `${content}. But ${problem}` };
    }
    const error = problem || "names is empty";
    return { ok: false, error, errorCode: "not_found", retryable: true };
  }

  const entries = [...own.map(toEntry), ...servers.entries().map(toServerEntry)];
  const loader: Tool = {
    schema: {
      name: "load_tools",
      description: `Loads more tools by name, several at once: ${entries.join(", ")}`,
      parameters: toParameters([...servers.keys()]),
    },
    origin: "own",
    leaves: "nothing",
    effect: () => "none",
    async run({ names, server }: ToolArguments): Promise<ToolResult> {
      const wanted = Array.isArray(names) ? names.map(String) : [];
      return wanted.length === 0 && typeof server === "string" ? listServer(server) : load(wanted);
    },
  };
  return { loader, isTold };
}

function isStrangers({ wordedBy }: Tool): boolean {
  return wordedBy === "outside";
}

function toParameters(servers: readonly string[]): Tool["schema"]["parameters"] {
  const names = { type: "array", items: { type: "string" } };
  if (servers.length === 0) return { type: "object", properties: { names }, required: ["names"] };
  const server = { type: "string", enum: servers, description: "lists all of its tools" };
  return { type: "object", properties: { names, server } };
}

/** How many a server has, and the names that may stand in every turn. */
function toServerEntry([name, tools]: readonly [string, readonly Tool[]]): string {
  const named = tools.filter(({ server }) => server?.isNamed).map(({ schema }) => schema.name);
  const some = named.length === 0 ? "" : `: ${named.join(", ")}`;
  return `${tools.length} of server ${name}${some}`;
}

function toEntry({ schema: { name, description } }: Tool): string {
  return `${name} (${firstWords(description)})`;
}

/** Enough to choose by. */
const WORDS_PER_TOOL = 5;

function firstWords(description: string): string {
  return description.split(/\s+/u).slice(0, WORDS_PER_TOOL).join(" ");
}
