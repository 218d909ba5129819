import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeScratch } from "../../system/processes/scratch.ts";
import type { Caller } from "../context.ts";

/** A page that leads a browser on to an address that others must not read in a list of processes. */
export interface Redirect {
  readonly path: string;
  remove(): void;
}

/** The program that opens a file in the person's browser; undefined: there is none, or no screen. */
export function findOpener(env: Caller["env"]): string | undefined {
  const path = { PATH: env["PATH"] ?? "" };
  const named = env["BROWSER"];
  if (named !== undefined && named !== "") return Bun.which(named, path) ?? undefined;
  if (process.platform === "darwin") return Bun.which("open", path) ?? undefined;
  const hasScreen = Boolean(env["DISPLAY"] || env["WAYLAND_DISPLAY"]);
  return (hasScreen && Bun.which("xdg-open", path)) || undefined;
}

/**
 * Writes the page for its owner alone, where browsers in a sandbox can read it as well: they see no
 * hidden folder of the home.
 */
export function layRedirect(url: string, caller: Caller): Redirect {
  const found = [downloadFolder(caller), caller.env["XDG_RUNTIME_DIR"]].find(isOwnFolder);
  const folder = found ?? makeScratch("open");
  const path = join(
    typeof folder === "string" ? folder : folder.path,
    `papayu-${randomBytes(8).toString("hex")}.html`,
  );
  // Our own address: a label, a port and letters of base64url; nothing of it means anything in HTML.
  const html = `<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer"><meta http-equiv="refresh" content="0;url=${url}"><title>papa-yu</title><a href="${url}">papa-yu</a>\n`;
  writeFileSync(path, html, { mode: 0o600, flag: "wx" });
  return {
    path,
    remove: () =>
      typeof folder === "string" ? rmSync(path, { force: true }) : folder[Symbol.dispose](),
  };
}

/** Starts it and waits for nothing: some stay as long as the browser does. */
export function startOpener(opener: string, path: string, { env, cwd }: Caller): void {
  const child = Bun.spawn([opener, path], {
    cwd,
    env: { ...env },
    stdio: ["ignore", "ignore", "ignore"],
  });
  child.unref();
}

/** As the desktop has it; else the usual one. */
function downloadFolder({ env, userHome }: Caller): string {
  const config = join(env["XDG_CONFIG_HOME"] ?? join(userHome, ".config"), "user-dirs.dirs");
  const said = existsSync(config) ? readFileSync(config, "utf8") : "";
  const [, named] = /^XDG_DOWNLOAD_DIR="(?:\$HOME\/)([^"\n]+)"/mu.exec(said) ?? [];
  return join(userHome, named ?? "Downloads");
}

/** Where nobody else can put something in the way. */
function isOwnFolder(path: string | undefined): path is string {
  if (path === undefined || path === "") return false;
  const found = statSync(path, { throwIfNoEntry: false });
  const isMine = process.getuid === undefined || found?.uid === process.getuid();
  return found?.isDirectory() === true && isMine && (found.mode & 0o022) === 0;
}
