import packageJson from "../../package.json" with { type: "json" };
import { COMMANDS, EXIT_CODES, GENERAL } from "../../src/cli/commands.ts";

/** `papayu(1)`, made of what `--help` is made of. */
export function renderMan(): string {
  const commands = Object.values(COMMANDS).map(
    ({ usage, summary }) => `.TP\n.B papayu ${escape(usage)}\n${escape(summary)}\n`,
  );
  return `.TH PAPAYU 1 "" "papa-yu ${packageJson.version}" "User Commands"
.SH NAME
papayu \\- ${escape(packageJson.description)}
.SH SYNOPSIS
.B papayu
.I COMMAND
[\\fIARGUMENT\\fR]...
.SH COMMANDS
${commands.join("")}.SH OPTIONS
${escape(GENERAL)}
.SH EXIT STATUS
${escape(EXIT_CODES)}
.SH FILES
.TP
.I ~/.papa\\-yu
the state, the log and the configuration that is in force everywhere
.SH SEE ALSO
README.md and docs/ of the package
`;
}

/** A line of troff: no hyphen that is broken or copied as another sign, and no request at its start. */
function escape(text: string): string {
  return text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replaceAll("…", "...")
    .replaceAll(/^(?=[.'])/gmu, "\\&");
}
