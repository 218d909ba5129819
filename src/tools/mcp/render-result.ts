import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/sdk/types.js";
import { cutText } from "../../core/cut-text.ts";
import { toForeignJson } from "../../core/guards.ts";

/** Most characters of one result; about 8,000 tokens. */
const MAX_CHARS = 32_000;

/** What a tool answered as text without control characters; media are named, not shown. */
export function renderResult({ content, structuredContent }: CallToolResult): string {
  const parts = content.map(renderBlock);
  if (parts.length === 0 && structuredContent) {
    parts.push(
      toForeignJson(structuredContent) ?? "[structured content, nested too deep, not shown]",
    );
  }
  const text = clean(parts.join("\n"));
  if (text === "") return "(no output)";
  const left = text.length - MAX_CHARS;
  return left > 0 ? `${cutText(text, MAX_CHARS)}\n… ${left} more characters are left out` : text;
}

function renderBlock(block: ContentBlock): string {
  switch (block.type) {
    case "text":
      return block.text;
    case "image":
    case "audio":
      return `[${block.type} ${block.mimeType}, ${sizeOf(block.data)}, not shown]`;
    case "resource_link":
      return `[resource ${block.name}: ${block.uri}]`;
    case "resource": {
      const { resource } = block;
      if ("text" in resource) return `[resource ${resource.uri}]\n${resource.text}`;
      const { uri, mimeType = "of an unknown type", blob } = resource;
      return `[resource ${uri}, ${mimeType}, ${sizeOf(blob)}, not shown]`;
    }
    default:
      return block satisfies never;
  }
}

function sizeOf(base64: string): string {
  return `${Math.ceil((base64.length * 3) / 4 / 1024)} KB`;
}

/** Without colours of a terminal and all else that commands one. */
function clean(text: string): string {
  return Bun.stripANSI(text)
    .replace(/(?!\t|\n|\r\n)\p{Cc}/gu, "")
    .toWellFormed();
}
