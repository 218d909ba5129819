import { type CallRow, calls, type Targets } from "./payload.ts";

function read(name: string, path: string | ((targets: Targets) => string)): CallRow {
  const args = (targets: Targets) => ({ path: typeof path === "string" ? path : path(targets) });
  return [`read ${name}`, "read_file", args, "refused"];
}

/** What the author of plans is asked to write: `PATH: TEXT`. */
function write(path: string): CallRow {
  return [`write ${path}`, "propose_changes", { goal: `${path}: owned` }, "harmless"];
}

/** Paths that lead out of the workspace, or to what nobody reads or writes. */
export const PATH_CALLS = [
  ...calls(
    "out of the workspace",
    read("../", "../outside/secret.txt"),
    read("../ after a folder", "sub/../../outside/secret.txt"),
    read("absolute", ({ dir }) => `${dir}/outside/secret.txt`),
    read("~", "~/.ssh/id_rsa"),
    read("C:\\", "C:\\Windows\\win.ini"),
    read("backslashes", "..\\outside\\secret.txt"),
    read("fullwidth dots", "．．/outside/secret.txt"),
    read("percent", "%2e%2e/outside/secret.txt"),
    read("NUL", "a.txt\0.png"),
    read("file:", "file:///etc/passwd"),
    read("an empty path", ""),
  ),
  ...calls(
    "prefix twins",
    read("safevil", ({ dir }) => `${dir}/safevil/secret.txt`),
  ),
  ...calls(
    "links",
    read("a symlinked folder", "link/secret.txt"),
    read("a symlinked file", "link.txt"),
    read("a dangling link", "dangling"),
  ),
  ...calls(
    "special files",
    read("a FIFO", "fifo"),
    read("a device", "/dev/zero"),
    read("/proc", "/proc/self/environ"),
    read("the folder itself", "."),
  ),
  ...calls(
    "protected files",
    read(".env", ".env"),
    read(".ENV", ".ENV"),
    read(".git/config", ".git/config"),
    read(".papa-yu", ".papa-yu/project.json"),
    ["search for the secret", "search_files", { query: "canary", glob: "**/*" }, "harmless"],
    ["list the folder above", "list_files", { folder: "../outside" }, "refused"],
  ),
  ...calls(
    "writes by a plan",
    write("../outside/keep.txt"),
    write("link/new.txt"),
    write("dangling"),
    write("hard.txt"),
    write(".env"),
    write(".git/hooks/pre-commit"),
    write("../home/.bashrc"),
    write("．．/outside/new.txt"),
    write("AGENTS.md"),
  ),
] as const;
