import { CONFIG_SCHEMA, type SchemaNode } from "./schema/schema.ts";

/**
 * A configuration file for a newcomer: every key with its default and what it may hold, in the
 * order of the schema. Workspaces and routines are in comments, to be filled in.
 */
export function renderTemplate(): string {
  const blocks = Object.entries(CONFIG_SCHEMA.properties ?? {}).map(([name, node]) => {
    const { additionalProperties: provider, properties } = node;
    if (typeof provider === "object") return renderBlock(`[${name}.openai]`, provider);
    if (node.items) return comment(renderBlock(`[[${name}]]`, node.items));
    const servers = properties?.["servers"]?.additionalProperties;
    if (typeof servers === "object")
      return comment(renderBlock(`[${name}.servers.memory]`, servers));
    const jobs = properties?.["jobs"]?.items;
    return jobs ? comment(renderBlock(`[[${name}.jobs]]`, jobs)) : renderBlock(`[${name}]`, node);
  });
  return `${HEAD}\n${blocks.join("\n")}`;
}

const HEAD = `#:schema ./schemas/config.schema.json
# The configuration of papa-yu. What is left out has the default shown here.
# Secrets: "env:NAME", "file:PATH" (readable by you alone) or, worst, the secret itself.
`;

const COMMENT_COLUMN = 32;

function renderBlock(header: string, node: SchemaNode): string {
  // A table has a default, the empty one; what people add themselves shows examples.
  const isSample = node.default === undefined;
  const lines = Object.entries(node.properties ?? {}).map(([name, key]) => {
    const isOptional = key.default === undefined && !node.required?.includes(name);
    return renderKey(isOptional ? `# ${name}` : name, key, isSample);
  });
  return `# ${node.description}\n${header}\n${lines.join("\n")}\n`;
}

function renderKey(name: string, node: SchemaNode, isSample: boolean): string {
  const [example] = node.examples ?? [];
  // What has no default at all is in a comment, with its example.
  const value = isSample ? (example ?? node.default) : (node.default ?? example);
  const text = JSON.stringify(value).replaceAll('","', '", "');
  return `${`${name} = ${text}`.padEnd(COMMENT_COLUMN - 1)} # ${node.description}${renderRange(node)}`;
}

function renderRange({ enum: values, minimum, maximum }: SchemaNode): string {
  if (values) return `: ${values.join(" | ")}`;
  return minimum !== undefined && maximum !== undefined ? ` (${minimum} to ${maximum})` : "";
}

function comment(block: string): string {
  return block.replaceAll(/^(?=[^#\n])/gm, "# ");
}
