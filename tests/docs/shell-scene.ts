import { chmodSync, existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createSandbox, openTerminal, type Sandbox } from "../e2e/papayu.ts";
import { type ModelRequest, type Reply, startModelServer } from "../support/model-server.ts";
import { papayuProgram } from "../support/papayu-program.ts";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";

/** Where the pages say that the daemon listens. */
const DOCUMENTED_PORT = "7411";
/** The first failure ends what is typed; how it ended is the last word. */
const TYPED = 'bash -euo pipefail -c "$1"; echo "[ended $?]"';

/** The machine of somebody who types what a page shows. */
export interface ShellScene extends AsyncDisposable {
  readonly sandbox: Sandbox;
  /** Types it into a shell, line by line, and says yes to what asks; what was on the screen. */
  type(text: string): Promise<{ readonly exitCode: number; readonly screen: string }>;
}

/** What the machine is like. */
export interface ShellOptions {
  /** A daemon runs. */
  readonly isRunning?: boolean;
  /** The configuration is one that lies in the current folder. */
  readonly isFound?: boolean;
  /** What the configuration has besides a model and two workspaces. */
  readonly more?: string;
}

/**
 * A folder of notes and a model in a configuration, and a shell in which `papayu` is the program,
 * `npm run papayu --` too, and there is what the pages use besides what every system has.
 */
export async function openShell({
  isRunning = false,
  isFound = false,
  more = "",
}: ShellOptions): Promise<ShellScene> {
  const dir = tempDir("papayu-test-shell-");
  const model = startModelServer(answer);
  const patch = "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+two\n";
  const here = join(dir.path, "here");
  writeTree(dir.path, {
    "notes/a.txt": "one\n",
    "here/fix.diff": patch.replace("-one\n+two", "-two\n+three"),
    "home/projects/site/a.txt": "x\n",
    "bin/papayu": `#!/bin/sh\nexec '${process.execPath}' '${papayuProgram()}' "$@"\n`,
    "bin/npm": '#!/bin/sh\n[ "$1 $2 $3" = "run papayu --" ] && shift 3 && exec papayu "$@"\n',
    "bin/git": `#!/bin/sh\n[ "$*" = "-C ../other diff" ] && printf %s '${patch}'\n`,
    "bin/jq": `#!/bin/sh\n[ "$1" = -r ] && exec '${process.execPath}' -e "console.log(JSON.parse(await Bun.file(process.argv[1] ?? '/dev/stdin').text())$2)" $3\n`,
    "bin/curl": "#!/bin/sh\nprintf '%s\\0' \"$@\" >../asked\n",
  });
  for (const name of ["papayu", "npm", "git", "jq", "curl"])
    chmodSync(join(dir.path, "bin", name), 0o755);
  const sandbox = createSandbox(dir.path, configure(model.url) + more, { HOOK: SECRET });
  const daemon = isRunning ? await sandbox.host() : undefined;
  const { stdout } = isRunning ? await sandbox.run("status") : { stdout: "" };
  const [, port = ""] = /http: listening, port (\d+)/u.exec(stdout) ?? [];
  if (isFound) await Bun.write(join(here, "config.toml"), '[security]\nautonomy = "readonly"\n');
  const { PAPAYU_CONFIG: named = "", ...rest } = sandbox.env;
  const env = {
    ...rest,
    ...(!isFound && { PAPAYU_CONFIG: named }),
    PATH: `${join(dir.path, "bin")}:${rest["PATH"]}`,
    PAPAYU_PAGER: "cat",
    SECRET,
  };
  return {
    sandbox,
    async type(text) {
      await using terminal = openTerminal(["bash", "-c", TYPED, "bash", text], { cwd: here, env });
      let screen = "";
      for (;;) {
        screen += await terminal.waitFor(/\[y\/N\] |\[ended \d+\]/u);
        const [, exitCode] = /\[ended (\d+)\]/u.exec(screen) ?? [];
        if (exitCode !== undefined) {
          const fetched = await fetchAsked(join(dir.path, "asked"), port);
          return { exitCode: Number(exitCode), screen: screen + fetched };
        }
        terminal.type("y\r");
      }
    },
    async [Symbol.asyncDispose]() {
      await daemon?.stop();
      await model[Symbol.asyncDispose]();
      dir[Symbol.dispose]();
    },
  };
}

const SECRET = "a-secret-of-some-length";

function configure(modelUrl: string): string {
  return `[default]
provider = "m"
[providers.m]
base_url = "${modelUrl}"
model = "x"
[agent]
turn_timeout_s = 100
[http]
port = 0
[[workspaces]]
name = "notes"
path = "./notes"
check = false
[[workspaces]]
name = "sample"
path = "./notes"
check = false
[[routines.jobs]]
name = "on-call"
schedule = "0 8 29 2 *"
workspace = "notes"
task = "look"
channel = "none"
trigger_secret = "env:HOOK"
`;
}

/** Plans and writes one file; whatever else it is asked for, it is as short. */
function answer({ body }: ModelRequest): Reply {
  const isApply = String(body.messages.at(-1)?.content).includes("Now APPLY");
  const action = { kind: "CREATE_FILE", path: "README.md", content: "# Notes\n" };
  const answered = { summary: "1. Write README.md", actions: isApply ? [action] : [] };
  return { kind: "text", text: JSON.stringify(answered) };
}

/** What `curl` would have fetched, had it been asked to at the port where the daemon listens. */
async function fetchAsked(file: string, port: string): Promise<string> {
  if (!existsSync(file)) return "";
  const args = readFileSync(file, "utf8").split("\0");
  rmSync(file);
  const headers: [string, string][] = args.flatMap((arg, index) => {
    const [name = "", value = ""] = arg.split(/: (.*)/u);
    return args[index - 1] === "-H" ? [[name, value]] : [];
  });
  const body = args[args.indexOf("-d") + 1] ?? "";
  const url = args.find((arg) => arg.startsWith("http:"))?.replace(DOCUMENTED_PORT, port) ?? "";
  const response = await fetch(url, { method: "POST", headers, body });
  return `${response.status} ${await response.text()}`;
}
