import { runCommand } from "../../src/system/run/run.ts";

/** Runs a command with 400 MB of output and prints its result, and how much memory that took. */
const before = process.memoryUsage.rss();
const result = await runCommand({
  argv: ["sh", "-c", "echo first; yes | head -c 400000000; echo last"],
  cwd: "/",
  env: process.env,
  timeoutMs: 60_000,
  signal: new AbortController().signal,
  maxOutputBytes: 4096,
});
console.log(JSON.stringify({ result, grownBytes: process.memoryUsage.rss() - before }));
