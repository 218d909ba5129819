import type { IncomingMessage, ServerResponse } from "node:http";

/** The arguments of a call. */
export type Payload = Record<string, unknown>;

/** A call that Telegram refuses. */
export interface Refusal {
  readonly status: number;
  readonly description?: string;
  readonly retryAfterSeconds?: number;
  /** The chat that the one it was for has become. */
  readonly migratedTo?: number;
}

/** What a call is answered with. */
export type Answer = { readonly result: unknown } | Refusal;

/** The arguments of a call sent as JSON or as a form; a file stays a Blob with its text read. */
export async function readPayload(request: IncomingMessage): Promise<Payload> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  const type = request.headers["content-type"] ?? "";
  if (!type.startsWith("multipart/")) return body.length === 0 ? {} : JSON.parse(body.toString());
  const form = await new Response(body, { headers: { "content-type": type } }).formData();
  const payload: Payload = {};
  for (const [name, value] of form.entries()) {
    payload[name] =
      typeof value === "string" ? value : { filename: value.name, content: await value.text() };
  }
  return payload;
}

/** An argument that is text. */
export function textOf(payload: Payload, name: string): string | undefined {
  const value = payload[name];
  return typeof value === "string" ? value : undefined;
}

/** Answers a call in Telegram's envelope. */
export function sendAnswer(response: ServerResponse, answer: Answer): void {
  const refused = "status" in answer;
  const body = refused
    ? {
        ok: false,
        error_code: answer.status,
        description: answer.description ?? "Refused by the test",
        ...(answer.retryAfterSeconds !== undefined && {
          parameters: { retry_after: answer.retryAfterSeconds },
        }),
        ...(answer.migratedTo !== undefined && {
          parameters: { migrate_to_chat_id: answer.migratedTo },
        }),
      }
    : { ok: true, result: answer.result };
  response.writeHead(refused ? answer.status : 200, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}

/** The file of a form: the part that "document" or "photo" points to with attach://. */
export function readDocument(
  payload: Payload,
): { readonly filename: string; readonly content: string } | undefined {
  const target = textOf(payload, "document") ?? textOf(payload, "photo") ?? "";
  const file = payload[target.replace("attach://", "")];
  if (typeof file !== "object" || file === null) return undefined;
  return {
    filename: String(Reflect.get(file, "filename")),
    content: String(Reflect.get(file, "content")),
  };
}

/** The buttons of an inline keyboard that say what was pressed; in forms it travels as JSON. */
export function readButtons(payload: Payload): { readonly label: string; readonly data: string }[] {
  const markup = payload["reply_markup"];
  const keyboard: { inline_keyboard?: { text: string; callback_data?: string }[][] } =
    typeof markup === "string" ? JSON.parse(markup) : (markup ?? {});
  return (keyboard.inline_keyboard ?? [])
    .flat()
    .flatMap(({ text, callback_data: data }) =>
      data === undefined ? [] : [{ label: text, data }],
    );
}
