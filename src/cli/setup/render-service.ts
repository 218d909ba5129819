import { CONNECTIONS, CONNECTIONS_VARIABLE } from "../../system/own/connections.ts";
import { FOLDER_VARIABLE } from "../../system/own/own.ts";

/** What a supervisor has to know to start the daemon. */
export interface Service {
  readonly command: readonly string[];
  /** For `--config`; undefined: built-in defaults. */
  readonly configPath: string | undefined;
  readonly cwd: string;
  readonly home: string;
  /** PATH, for the checks of workspaces. */
  readonly path: string;
  /** Where keys may be, one NAME=value a line. */
  readonly envFile: string;
}

/**
 * A unit for `systemctl --user`. What is restricted is what no check needs: anything that takes
 * away namespaces, mounts or /proc would take away the sandbox, too.
 */
export function renderSystemdUnit(service: Service): string {
  const { cwd, home, path, envFile } = service;
  const set = (name: string, value: string) => `Environment=${quote(`${name}=${value}`)}`;
  return `[Unit]
Description=papa-yu: plans changes to your folders, applies them after one approval
StartLimitIntervalSec=300
StartLimitBurst=5

[Service]
# It says itself when it is ready, and that it lives: one that hangs is started anew.
Type=notify
NotifyAccess=main
WatchdogSec=120
ExecStart=${argvOf(service).map(toExecWord).join(" ")}
${set(FOLDER_VARIABLE, cwd)}
${set("PAPAYU_HOME", home)}
${set("PATH", path)}
${set(CONNECTIONS_VARIABLE, `${CONNECTIONS}`)}
# Keys, one NAME=value a line, mode 0600; the file may be missing.
EnvironmentFile=-${escapePercent(envFile)}
Restart=on-failure
RestartSec=5
# A configuration that is broken does not fix itself.
RestartPreventExitStatus=2
# The daemon ends its own checks, so that a transaction goes back; after that everything goes.
KillMode=mixed
TimeoutStopSec=15
UMask=0077
NoNewPrivileges=yes
LockPersonality=yes
RestrictRealtime=yes
SystemCallArchitectures=native

[Install]
WantedBy=default.target
`;
}

/** A property list for \`launchctl\`, in the person's own session. */
export function renderLaunchdPlist(service: Service): string {
  const { cwd, home, path } = service;
  const log = `${home}/logs/papayu.log.stderr`;
  const words = argvOf({ ...service, command: [...service.command, "--detached"] });
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>dev.papayu.daemon</string>
  <key>ProgramArguments</key>
  <array>
${words.map((word) => `    <string>${escapeXml(word)}</string>`).join("\n")}
  </array>
  <key>EnvironmentVariables</key>
  <dict>
    <key>${FOLDER_VARIABLE}</key>
    <string>${escapeXml(cwd)}</string>
    <key>PAPAYU_HOME</key>
    <string>${escapeXml(home)}</string>
    <key>PATH</key>
    <string>${escapeXml(path)}</string>
    <key>${CONNECTIONS_VARIABLE}</key>
    <string>${CONNECTIONS}</string>
  </dict>
  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key>
    <false/>
  </dict>
  <key>ThrottleInterval</key>
  <integer>10</integer>
  <key>ExitTimeOut</key>
  <integer>15</integer>
  <key>Umask</key>
  <integer>63</integer>
  <key>StandardErrorPath</key>
  <string>${escapeXml(log)}</string>
</dict>
</plist>
`;
}

function argvOf({ command, configPath }: Service): readonly string[] {
  return configPath === undefined ? command : [...command, "--config", configPath];
}

/** Variables are expanded in arguments, but not in the name of the program. */
function toExecWord(word: string, index: number): string {
  return index === 0 ? quote(word) : quote(word).replaceAll("$", () => "$$");
}

/** A word of a unit file: quoted, and nothing in it expanded. */
function quote(word: string): string {
  return `"${escapePercent(word).replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
}

function escapePercent(text: string): string {
  return text.replaceAll("%", "%%");
}

function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
