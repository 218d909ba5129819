import { join } from "node:path";
import type { LoadedConfig } from "../../config/load/load.ts";
import { AppError } from "../../core/app-error.ts";
import { ownCommand } from "../../system/own/programs.ts";
import type { Caller } from "../context.ts";
import { renderLaunchdPlist, renderSystemdUnit, type Service } from "./render-service.ts";

/** What starts programs with a person's login. */
export type Supervisor = "systemd" | "launchd";

/** A service file: where it belongs, what is in it, and what to do with it. */
export interface ServiceFile {
  readonly path: string;
  readonly text: string;
  readonly next: string;
}

/** The supervisor of this machine. */
export function ownSupervisor(platform: string = process.platform): Supervisor {
  return platform === "darwin" ? "launchd" : "systemd";
}

/** The file that has a supervisor start the daemon of this configuration and home. */
export function describeService(
  supervisor: Supervisor,
  { source: { path }, home, baseDir, userHome }: LoadedConfig,
  { env }: Pick<Caller, "env">,
): ServiceFile {
  const service: Service = {
    // An absolute path of its own: a service has no PATH to look it up in.
    command: [...ownCommand(), "start"],
    configPath: path,
    cwd: path === undefined ? userHome : baseDir,
    home,
    path: env["PATH"] ?? "/usr/local/bin:/usr/bin:/bin",
    envFile: join(home, "env"),
  };
  assertOneLine(service);
  switch (supervisor) {
    case "systemd": {
      const folder = env["XDG_CONFIG_HOME"] || join(userHome, ".config");
      return {
        path: join(folder, "systemd/user/papayu.service"),
        text: renderSystemdUnit(service),
        next: `Keys go into "${service.envFile}", one NAME=value a line, mode 0600. Then:
  systemctl --user daemon-reload
  systemctl --user enable --now papayu
  loginctl enable-linger        # to have it run while you are logged out`,
      };
    }
    case "launchd": {
      const file = join(userHome, "Library/LaunchAgents/dev.papayu.daemon.plist");
      return {
        path: file,
        text: renderLaunchdPlist(service),
        next: `Keys go into files: api_key = "file:PATH" in config.toml, mode 0600. Then:
  launchctl bootstrap gui/$(id -u) "${file}"`,
      };
    }
    default:
      return supervisor satisfies never;
  }
}

function assertOneLine(service: Service): void {
  const { command, configPath = "", cwd, home, path, envFile } = service;
  const odd = [...command, configPath, cwd, home, path, envFile].find((it) => /\p{Cc}/u.test(it));
  if (odd === undefined) return;
  const message = `Cannot write a service for ${JSON.stringify(odd)}: it has control characters; rename it`;
  throw new AppError("ERR_USAGE", message);
}
