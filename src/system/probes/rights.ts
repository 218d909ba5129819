import { chmodSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readOrEmpty } from "../read-or-empty.ts";
import { type Attempt, codeOf, reached, refused } from "./attempt.ts";
import type { Bait } from "./bait.ts";

const SET_USER_ID = 0o4000;

function statusOf(name: string): string {
  return new RegExp(`^${name}:\\s*(\\S+)`, "m").exec(readOrEmpty("/proc/self/status"))?.[1] ?? "";
}

/** Rights of root that are held, or could be. */
export function findCapability(): Attempt {
  const held = ["CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"].filter(
    (name) => !/^0+$/.test(statusOf(name)),
  );
  return held.length > 0
    ? reached(held.map((name) => `${name} ${statusOf(name)}`).join(", "))
    : refused("none");
}

/** Whether a setuid program would give its owner's rights. */
export function findNewPrivileges(): Attempt {
  return statusOf("NoNewPrivs") === "1"
    ? refused("no_new_privs is set")
    : reached("no_new_privs is not set");
}

/** A program in the workspace that runs with its owner's rights. */
export function tryToSetUserId({ workspace }: Bait): Attempt {
  const path = join(workspace, "program");
  writeFileSync(path, "");
  try {
    chmodSync(path, SET_USER_ID);
    return (statSync(path).mode & SET_USER_ID) === 0 ? refused("the disk drops it") : reached(path);
  } catch (error) {
    return refused(codeOf(error));
  } finally {
    rmSync(path);
  }
}

/** A namespace of its own, with all rights in it. */
export function tryNewNamespace({ bubblewrap }: Bait): Attempt {
  const argv = [
    bubblewrap,
    "--unshare-user",
    "--ro-bind",
    "/",
    "/",
    "--",
    "/bin/sh",
    "-c",
    "exit 0",
  ];
  const { exitCode, stderr } = Bun.spawnSync(argv, { stdin: "ignore" });
  return exitCode === 0 ? reached("bubblewrap in bubblewrap") : refused(stderr.toString().trim());
}
