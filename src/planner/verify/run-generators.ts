import type { ChangeSet, Generation } from "../../transaction/change.ts";
import { type GenerateCommand, resolveGenerators } from "../../workspace/checks/checks.ts";
import type { CheckCommand, Workspace } from "../../workspace/workspace.ts";

/** What makes the lock files of a change set. */
export function generatorsOf(
  workspace: Workspace,
  { changes, contents }: ChangeSet,
): Promise<readonly GenerateCommand[]> {
  const files = changes.filter(({ kind }) => kind !== "mkdir" && kind !== "rmdir");
  const after = files.map((change) => {
    return [
      change.path,
      "after" in change ? contents.get(change.after.sha256) : undefined,
    ] as const;
  });
  return resolveGenerators(workspace, new Map(after));
}

/** What is left to the person, where nothing that makes lock files ran for a change set. */
export async function skippedIn(
  workspace: Workspace,
  changeSet: ChangeSet,
): Promise<Generation | undefined> {
  const generators = await generatorsOf(workspace, changeSet);
  if (generators.length === 0) return undefined;
  return { kind: "skipped", commands: generators.map(({ argv }) => argv.join(" ")) };
}

/** How commands that make lock files run: as checks do, and told to be quiet and to stay here. */
export function toGenerating(generators: readonly GenerateCommand[]): {
  readonly commands: readonly CheckCommand[];
  readonly variables: Readonly<Record<string, string>>;
} {
  const commands = generators.map(({ argv, from, folder }) => {
    return { name: argv.join(" "), argv, from, ...(folder !== "" && { folder }) };
  });
  return { commands, variables: { ...QUIET, ...OFFLINE } };
}

/** What tools do besides, and would do over a network. */
const QUIET: Readonly<Record<string, string>> = {
  npm_config_audit: "false",
  npm_config_fund: "false",
  npm_config_update_notifier: "false",
  COREPACK_ENABLE_DOWNLOAD_PROMPT: "0",
  COMPOSER_NO_INTERACTION: "1",
  GOTOOLCHAIN: "local", // another one that a go.mod names would be a program from outside
};

/** Without a network tools say so at once, instead of trying for minutes. */
const OFFLINE: Readonly<Record<string, string>> = {
  npm_config_offline: "true",
  CARGO_NET_OFFLINE: "true",
  GOPROXY: "off",
  UV_OFFLINE: "1",
  COMPOSER_DISABLE_NETWORK: "1",
  YARN_ENABLE_NETWORK: "0",
};
