import { release } from "node:os";
import type { ProjectProfile } from "../../workspace/profile.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { type Block, toOneLine } from "./block.ts";

/** Most names of one kind that are listed. */
const MOST_NAMES = 30;

/** The machine and the project in two lines; also the answer to an `env` request. */
export function renderEnvBlock(
  { name }: Workspace,
  profile: ProjectProfile,
  toolVersions: readonly string[],
): Block {
  const machine = [`${process.platform} ${process.arch} ${release()}`, ...toolVersions].join(", ");
  const project = [
    profile.kind,
    profile.packageManager,
    list("scripts", Object.keys(profile.scripts)),
    list("sources", profile.sourceRoots),
    list("tests", profile.testRoots),
  ];
  return {
    kind: "env",
    priority: 0,
    header: `ENVIRONMENT: ${machine}; workspace ${JSON.stringify(name)}`,
    body: toOneLine(`PROJECT: ${project.filter(Boolean).join("; ")}`),
  };
}

function list(title: string, names: readonly string[]): string {
  return names.length === 0 ? "" : `${title}: ${names.slice(0, MOST_NAMES).join(", ")}`;
}
