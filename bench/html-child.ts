import { readFileSync } from "node:fs";
import { htmlToText } from "../src/http/html-to-text/html-to-text.ts";

// One page from a file, in a process of its own: memory and crashes are its alone.
const [file = "", name = ""] = process.argv.slice(2);
const source = Bun.file(file);
if (name === "papa-yu") await htmlToText(source.stream());
else {
  // Only who measures the peer pays for loading it.
  const { HTML_TOOLS } = await import("./html-tools.ts");
  await HTML_TOOLS.find((tool) => tool.name === name)?.toText(await source.text());
}

// What the system reports to the parent counts the parent's own memory before the start, too.
const status = readFileSync("/proc/self/status", "utf8");
process.stdout.write(/VmHWM:\s*(\d+)/u.exec(status)?.[1] ?? "");
