import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Whom it asks. */
export const ASKED_HOST = "pkg.example.com";

const scriptFor = (host: string) => `#!/bin/sh
[ -z "$npm_config_offline$npm_config_fetch_retries" ] || {
  bun -e 'await fetch("http://${host}/")'; exit 1
}
sha256sum <package.json >package-lock.json
`;

/** The command of a workspace's `generate` that runs it. */
export const FETCHING_NPM = ["./npm", "install", "--ignore-scripts"] as const;

/**
 * Puts a program in npm's place: as long as it has no way out it asks for `host` and
 * fails; once it has one it makes the lock file of package.json, and asks nobody.
 */
export function layFetchingNpm(folder: string, host: string = ASKED_HOST): void {
  const path = join(folder, "npm");
  writeFileSync(path, scriptFor(host));
  chmodSync(path, 0o755);
}
