import { randomBytes } from "node:crypto";
import { existsSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { expandHome } from "../config/expand-home.ts";
import type { LoadedConfig } from "../config/load/load.ts";
import { makePrivateDir } from "../system/make-private-dir.ts";

const TOKEN_BYTES = 32;

/** Makes the token of the local API where the configuration names a file that is not there yet. */
export function ensureHttpToken({ config, userHome }: LoadedConfig): void {
  const { token } = config.http;
  if (!token.startsWith("file:")) return;
  const path = expandHome(token.slice("file:".length), userHome);
  if (existsSync(path)) return;
  makePrivateDir(dirname(path));
  writeFileSync(path, `${randomBytes(TOKEN_BYTES).toString("hex")}\n`, { mode: 0o600, flag: "wx" });
}
