import { expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { papayuProgram } from "../support/papayu-program.ts";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";
import { createSandbox } from "./papayu.ts";

/** What papa-yu starts by itself, outside of every sandbox. */
const PROGRAMS = ["bwrap", "unshare", "mount", "git", "node", "python3", "cargo", "go", "ps", "sh"];

test.each(["as npm run and direnv put it there", "of a configured workspace"])(
  "a folder of the project on PATH, %s, names no program that runs before a yes",
  async (how) => {
    using dir = tempDir();
    const base = realpathSync(dir.path);
    const project = join(base, "project");
    const ran = join(base, "ran");
    mkdirSync(ran);
    writeTree(project, {
      "package.json": '{"name":"p","scripts":{"test":"true"}}\n',
      ...Object.fromEntries(
        PROGRAMS.map((name) => [`bin/${name}`, `#!/bin/sh\n: >${ran}/${name}\nexit 1\n`]),
      ),
    });
    for (const name of PROGRAMS) chmodSync(join(project, "bin", name), 0o755);
    const isConfigured = how.startsWith("of");
    const config = isConfigured ? '[[workspaces]]\nname = "p"\npath = "./project"\n' : "";
    const env = { PATH: `${join(project, "bin")}:${process.env["PATH"]}` };
    const sandbox = createSandbox(base, config, env);
    const run = (...args: string[]) => {
      const cwd = isConfigured ? base : project;
      const argv = [process.execPath, papayuProgram(), ...args, "-w", isConfigured ? "p" : project];
      return Bun.spawnSync(argv, { cwd, env: sandbox.env });
    };
    expect(run("plan", "add what a newcomer would miss").exitCode).toBe(0);
    expect(run("doctor").exitCode).toBeLessThan(2);
    expect(run("apply", "--goal", "add what a newcomer would miss").exitCode).toBe(3);
    expect(PROGRAMS.filter((name) => existsSync(join(ran, name)))).toEqual([]);
  },
);
