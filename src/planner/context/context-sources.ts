import { runCommand } from "../../system/run/run.ts";
import type { ProjectKind } from "../../workspace/manifest.ts";
import type { LogSources } from "./logs-block.ts";

/** Sources of context other than the folder itself. */
export interface ContextSources extends LogSources {
  readonly toolVersions: ToolVersions;
}

/** The folder and nothing else, for library use and tests. */
export const NO_SOURCES: ContextSources = {
  toolVersions: async () => [`bun ${process.versions.bun}`],
  readLogs: async () => undefined,
  redact: (text) => text,
};

/** Versions of the installed tools that matter to a project of this kind: `git 2.43.0`. */
type ToolVersions = (kind: ProjectKind) => Promise<readonly string[]>;

/** A tool that does not answer in this time is left out. */
const ANSWER_MS = 1000;

/** Asks each tool until it has answered once; every later plan has the answers at hand. */
export function createToolVersions(
  env: Readonly<Record<string, string | undefined>>,
  answerMs = ANSWER_MS,
): ToolVersions {
  const versions = new Map<string, Promise<string | undefined>>();
  const versionOf = (tool: string): Promise<string | undefined> => {
    // The machine may have had other things to do: the next plan asks again.
    const onLate = () => void versions.delete(tool);
    const version = versions.get(tool) ?? askVersion(tool, env, answerMs, onLate);
    versions.set(tool, version);
    return version;
  };
  return async (kind) => {
    const found = await Promise.all([...TOOLS[kind], "git"].map(versionOf));
    return [`bun ${process.versions.bun}`, ...found.filter((version) => version !== undefined)];
  };
}

const TOOLS: Readonly<Record<ProjectKind, readonly string[]>> = {
  node: ["node"],
  python: ["python3"],
  rust: ["cargo"],
  go: ["go"],
  plain: [],
};

/** Asked outside of the project: inside, version managers would fetch what its files ask for. */
async function askVersion(
  tool: string,
  env: Readonly<Record<string, string | undefined>>,
  answerMs: number,
  onLate: () => void,
): Promise<string | undefined> {
  const { exitCode, output, timedOut } = await runCommand({
    argv: [tool, tool === "go" ? "version" : "--version"],
    cwd: "/",
    env,
    timeoutMs: answerMs,
    signal: new AbortController().signal, // the answer is for every later plan too
    maxOutputBytes: 1000,
  });
  if (timedOut) onLate();
  const version = /\d+(?:\.\d+)+[\w.+-]*/u.exec(output)?.[0];
  return exitCode === 0 && version !== undefined ? `${tool} ${version}` : undefined;
}
