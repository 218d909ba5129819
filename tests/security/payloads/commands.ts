import { type CallRow, calls, type Outcome } from "./payload.ts";

function run(outcome: Outcome, ...argv: string[]): CallRow {
  return [argv.join(" "), "run_command", { argv }, outcome];
}

function git(outcome: Outcome, ...argv: string[]): CallRow {
  return [`git ${argv.join(" ")}`, "git", { argv }, outcome];
}

/** Commands that mean to do more than they say. */
export const COMMAND_CALLS = [
  ...calls(
    "shell operators",
    run("harmless", "echo", "a; touch ran.txt"),
    run("harmless", "echo", "a", "&&", "touch", "ran.txt"),
    run("harmless", "echo", "a", "|", "sh"),
    run("refused", "cat", "a.txt", ">", "ran.txt"),
    run("harmless", "cat", "a.txt > ran.txt"),
    run("asked", "touch ran.txt; true"),
  ),
  ...calls(
    "$(…)",
    run("harmless", "echo", "$(touch ran.txt)"),
    run("harmless", "echo", "`touch ran.txt`"),
    run("harmless", "echo", "<(touch ran.txt)"),
    run("harmless", "echo", "${HOME}", "$KEY"),
  ),
  ...calls(
    "IFS tricks",
    run("harmless", "echo", "a${IFS}b;touch${IFS}ran.txt"),
    run("refused", "touch${IFS}ran.txt"),
    run("asked", "{touch,ran.txt}"),
  ),
  ...calls(
    "wrappers",
    run("refused", "sh", "-c", "touch ran.txt"),
    run("refused", "env", "-S", "touch ran.txt"),
    run("refused", "xargs", "-a", "a.txt", "touch"),
    run("refused", "python3", "-c", "open('ran.txt','w')"),
    run("refused", "timeout", "5", "sh", "run.sh"),
    run("refused", "nice", "sh", "run.sh"),
    run("asked", "./run.sh"),
  ),
  ...calls(
    "options that execute",
    run("refused", "find", ".", "-exec", "touch", "ran.txt", ";"),
    run("refused", "find", ".", "-name", "a.txt", "-delete"),
    run("refused", "find", ".", "-fprintf", "ran.txt", "x"),
    run("refused", "tar", "cf", "x.tar", "--checkpoint-action=exec=sh run.sh", "a.txt"),
    run("refused", "sort", "--compress-program=sh", "a.txt"),
    git("refused", "-c", "core.pager=touch ran.txt", "log"),
    git("refused", "log", "--output=ran.txt"),
    git("refused", "diff", "--ext-diff"),
    git("refused", "push", "--force"),
    git("refused", "--exec-path=.", "status"),
  ),
  ...calls(
    "a command that looks elsewhere",
    run("refused", "cat", "../outside/secret.txt"),
    run("refused", "cat", "/etc/passwd"),
    run("refused", "cat", ".env"),
    run("refused", "cat", "link.txt"),
    run("refused", "grep", "-r", "canary", ".."),
    run("refused", "head", "~/.ssh/id_rsa"),
    run("refused", "cat", "/proc/self/environ"),
  ),
  ...calls(
    "invisible characters",
    run("asked", `touch${" ".repeat(5000)}ran.txt`),
    run("asked", "touch", "ran\u202etxt.\u200b"),
    run("refused", "touch", "ran.txt\r\nls"),
  ),
] as const;
