import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Parser } from "htmlparser2";
import {
  renderLaunchdPlist,
  renderSystemdUnit,
  type Service,
} from "../../src/cli/setup/render-service.ts";
import { ownSupervisor } from "../../src/cli/setup/service.ts";
import { createSandbox } from "../e2e/papayu.ts";
import { tempDir } from "../support/temp.ts";

const ODD: Service = {
  command: ["/opt/my bun/100%/bun", "/home/a b/$HOME/main.ts", "start"],
  configPath: '/home/a "b"\\c/<config>&.toml',
  cwd: "/home/a b/50%",
  home: "/home/a b/.papa-yu",
  path: "/usr/bin:/opt/x y",
  envFile: "/home/a b/.papa-yu/env",
};

/** Whatever the tests run in, they write below their own folder. */
const OWN = { XDG_CONFIG_HOME: "" };

describe("renderSystemdUnit()", () => {
  test("quotes blanks, quotes and backslashes, and has nothing expanded", () => {
    const lines = renderSystemdUnit(ODD).split("\n");
    expect(lines).toContain(
      String.raw`ExecStart="/opt/my bun/100%%/bun" "/home/a b/$$HOME/main.ts" "start" "--config" "/home/a \"b\"\\c/<config>&.toml"`,
    );
    expect(lines).toContain('Environment="PAPAYU_CWD=/home/a b/50%%"');
    expect(lines).toContain('Environment="PAPAYU_HOME=/home/a b/.papa-yu"');
    expect(lines).toContain("EnvironmentFile=-/home/a b/.papa-yu/env");
    expect(lines).toContain("Restart=on-failure");
    expect(lines).toContain("Type=notify");
  });

  test("takes nothing from the daemon that the sandbox of checks needs", () => {
    expect(renderSystemdUnit(ODD)).not.toMatch(
      /RestrictNamespaces|Protect(?:Kernel|Proc|System|Home)|Private|MemoryDeny|SystemCallFilter/,
    );
  });
});

test("renderLaunchdPlist() is well-formed and says the same", () => {
  const texts: string[] = [];
  const tags: string[] = [];
  let open = "";
  const parser = new Parser(
    {
      onopentag: (name) => void tags.push(name),
      ontext: (text) => (open += text),
      onclosetag() {
        if (open.trim() !== "") texts.push(open.trim());
        open = "";
      },
    },
    { xmlMode: true },
  );
  parser.end(renderLaunchdPlist(ODD));
  const words = [...ODD.command, "--detached", "--config", ODD.configPath ?? ""];
  const at = texts.indexOf("ProgramArguments") + 1;
  expect(texts.slice(at, at + words.length)).toEqual(words);
  expect(texts).toContain(ODD.cwd);
  expect(tags.slice(0, 2)).toEqual(["plist", "dict"]);
});

test("ownSupervisor() is launchd on a Mac and systemd elsewhere", () => {
  expect([ownSupervisor("darwin"), ownSupervisor("linux")]).toEqual(["launchd", "systemd"]);
});

describe("papayu init --service", () => {
  test("writes the file of this machine once, for the configuration in force", async () => {
    using dir = tempDir();
    const sandbox = createSandbox(dir.path, "", OWN);
    const { exitCode, report } = await sandbox.json("init", "--service");
    expect({ exitCode, report }).toMatchObject({ exitCode: 0, report: { written: true } });
    const text = readFileSync(String(report["path"]), "utf8");
    expect(text).toContain(join(dir.path, "config.toml"));
    expect(text).toContain(sandbox.home);
    writeFileSync(String(report["path"]), "mine");
    const again = await sandbox.json("init", "--service");
    expect(again).toMatchObject({ exitCode: 2, report: { ok: false } });
    expect(readFileSync(String(report["path"]), "utf8")).toBe("mine");
  });

  test("shows the file of another kind of machine, and knows no third", async () => {
    using dir = tempDir();
    const sandbox = createSandbox(dir.path, "", OWN);
    const other = ownSupervisor() === "systemd" ? "launchd" : "systemd";
    const { report } = await sandbox.json("init", "--service", other);
    expect(report).toMatchObject({ written: false });
    expect(existsSync(String(report["path"]))).toBe(false);
    for (const wrong of [["--service=openrc"], ["--service", "lauchd"], ["--service", "./site"]]) {
      const ran = await sandbox.run("init", ...wrong);
      expect(ran).toMatchObject({ exitCode: 2, stdout: "" });
      expect(ran.stderr).toContain("Cannot write a service for");
    }
    expect(existsSync(join(dir.path, "home/.config"))).toBe(false);
  });

  test("refuses a configuration that merely is in the current folder", async () => {
    using dir = tempDir();
    const sandbox = createSandbox(dir.path, "", { ...OWN, PAPAYU_CONFIG: "" });
    const ran = await sandbox.run("init", "--service");
    expect(ran.exitCode).toBe(2);
    expect(ran.stderr).toContain("if it is yours, name it");
    expect(existsSync(join(dir.path, "home/.config"))).toBe(false);
  });
});
