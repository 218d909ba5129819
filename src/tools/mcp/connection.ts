import type { CallToolResult, Tool } from "@modelcontextprotocol/sdk/types.js";
import { AppError, errorMessage } from "../../core/app-error.ts";
import { unlessAborted } from "../../core/until-aborted.ts";
import { createHttpTransport } from "./http-transport.ts";
import type { Launch, ListedTools } from "./launch.ts";
import { readListedTools } from "./read-listed-tools.ts";
import { createStdioTransport } from "./stdio-transport.ts";

/** Pages of one list of tools. */
const MAX_PAGES = 20;

/** A server that answered our greeting. */
export interface Connection {
  /** Throws what the SDK throws, and when the signal is aborted. */
  list(signal: AbortSignal): Promise<ListedTools>;
  call(
    tool: string,
    args: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<CallToolResult>;
  /** Ends the session or the whole process tree; at most a second or two. */
  close(): Promise<void>;
}

/** What a connection is made of. */
export interface ConnectOptions {
  readonly launch: Launch;
  /** Of papa-yu, for the server. */
  readonly version: string;
  /** The server says that its list of tools is another one now. */
  readonly onListChanged: () => void;
  readonly onClosed: () => void;
  /** Bounds the start. */
  readonly signal: AbortSignal;
}

/**
 * Starts or calls a server and greets it. It is offered nothing: no sampling, no elicitation, no
 * roots. Schemas of the server's are never compiled: its patterns could hang us.
 *
 * @throws AppError unavailable when it cannot be reached in time, or does not speak the protocol
 */
export async function connect(options: ConnectOptions): Promise<Connection> {
  const [{ Client }, types] = await Promise.all([
    import("@modelcontextprotocol/sdk/client/index.js"),
    import("@modelcontextprotocol/sdk/types.js"),
  ]);
  const { launch, version, signal } = options;
  const { transport, close, explain } = await openTransport(launch, (value) =>
    types.JSONRPCMessageSchema.parse(value),
  );
  const client = new Client({ name: "papa-yu", version }, { capabilities: {} });
  Object.assign(client, { onclose: options.onClosed });
  client.setNotificationHandler(types.ToolListChangedNotificationSchema, options.onListChanged);
  try {
    await unlessAborted(signal, client.connect(transport, { ...FOREVER, signal }));
  } catch (error) {
    const failure = toUnavailable(error, signal, explain());
    await close();
    throw failure;
  }
  const explained = (error: unknown): never => {
    const closed: number = types.ErrorCode.ConnectionClosed;
    if (!(error instanceof types.McpError) || error.code !== closed) throw error;
    throw new Error(`the server went away: ${explain()}`, { cause: error });
  };
  return {
    async list(listSignal) {
      const entries: Tool[] = [];
      let cursor: string | undefined;
      for (let page = 0; page < MAX_PAGES; page++) {
        const request = { method: "tools/list" as const, params: { cursor } };
        const schema = types.ListToolsResultSchema;
        const asked = client.request(request, schema, { ...FOREVER, signal: listSignal });
        const answer = await unlessAborted(listSignal, asked.catch(explained));
        entries.push(...answer.tools);
        cursor = answer.nextCursor;
        if (cursor === undefined) break;
      }
      return readListedTools(entries);
    },
    call(name, args, callSignal) {
      const request = { method: "tools/call" as const, params: { name, arguments: { ...args } } };
      const schema = types.CallToolResultSchema;
      const asked = client.request(request, schema, { ...FOREVER, signal: callSignal });
      return unlessAborted(callSignal, asked.catch(explained));
    },
    close,
  };
}

/** The signal bounds a request; the SDK's own clock must not do so earlier. */
const FOREVER = { timeout: 2 ** 31 - 1 };

async function openTransport(launch: Launch, parse: Parameters<typeof createStdioTransport>[1]) {
  if (launch.kind === "stdio") {
    const transport = createStdioTransport(launch, parse);
    const { close, explain } = transport;
    return { transport, close, explain };
  }
  return createHttpTransport(launch);
}

function toUnavailable(error: unknown, signal: AbortSignal, said: string): AppError {
  if (error instanceof AppError) return error;
  const why = signal.aborted ? "it did not answer in time" : errorMessage(error);
  return new AppError("unavailable", said === "" ? why : `${why} (${said})`, { cause: error });
}
