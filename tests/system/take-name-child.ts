import { takeMachineName } from "../../src/system/locks/machine-name.ts";

// Takes a name, says what came of it, and keeps it until it is killed; without it, it ends.
const [, , name = "", file = ""] = process.argv;
const result = await takeMachineName(name, { what: process.env["PAPAYU_HOME"] ?? "", file });
process.stdout.write(JSON.stringify(result));
if (result.ok) for await (const _ of Bun.stdin.stream()) continue;
