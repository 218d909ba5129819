import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/** Variables a child may see: where things are and how to print, never a credential. */
const ALLOWED: readonly string[] =
  `PATH HOME USER LOGNAME SHELL TERM COLORTERM NO_COLOR FORCE_COLOR CI TZ TMPDIR TMP TEMP
  LANG LANGUAGE LC_ALL LC_COLLATE LC_CTYPE LC_MESSAGES LC_MONETARY LC_NUMERIC LC_TIME
  XDG_CACHE_HOME XDG_CONFIG_HOME XDG_DATA_HOME XDG_RUNTIME_DIR
  BUN_INSTALL NVM_DIR NVM_BIN VOLTA_HOME PNPM_HOME COREPACK_HOME
  CARGO_HOME RUSTUP_HOME RUSTUP_TOOLCHAIN GOPATH GOROOT GOCACHE GOMODCACHE GOTOOLCHAIN
  PYENV_ROOT PYTHONPYCACHEPREFIX VIRTUAL_ENV JAVA_HOME`.split(/\s+/);

/** The part of an environment that children get: an allow-list, so that no secret is forgotten. */
export function childEnvironment(
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const name of ALLOWED) {
    const value = env[name];
    if (value !== undefined) kept[name] = value;
  }
  if (kept["PATH"] !== undefined) kept["PATH"] = withOwnBun(kept["PATH"]);
  return kept;
}

/**
 * Bun counts as installed for children and for the scripts they run: what runs papa-yu can run
 * a project's tests. The npm package names its binary `bun.exe` and links `bun` next to others.
 */
function withOwnBun(path: string): string {
  if (Bun.which("bun", { PATH: path })) return path;
  const own = dirname(process.execPath);
  const folder = [own, join(own, "../../.bin")].find((each) => existsSync(join(each, "bun")));
  return folder === undefined ? path : `${path}:${folder}`;
}
