import { expect, test } from "bun:test";
import { loadFrom, problemsOf } from "./support.ts";

const WORKSPACE = '[[workspaces]]\nname = "a"\npath = "."\n';
const PROVIDER = '[providers.x]\nbase_url = "http://127.0.0.1:1/v1"\nmodel = "m"\n';

function job(keys: string): string {
  const rest = ['schedule = "0 8 * * *"', 'task = "t"', 'mode = "ask"'].filter((line) => {
    return !keys.startsWith(line.split(" ")[0] ?? "");
  });
  return `[[routines.jobs]]\nname = "j"\n${keys}\n${rest.join("\n")}\n`;
}

/** Text, line, key, message. */
const CASES: [text: string, line: number, key: string, message: string][] = [
  ['[default]\nprovider = "opnai"\n', 2, "default.provider", 'found "opnai", allowed: offline'],
  [
    `${PROVIDER}[reliability]\nfallback_providers = ["x", "y"]\n`,
    5,
    "reliability.fallback_providers[1]",
    'found "y", allowed: x',
  ],
  [
    PROVIDER.replace("providers.x", "providers.offline"),
    1,
    "providers.offline",
    'the name "offline" means no model',
  ],
  [
    '[telegram]\nwebhook_url = "https://x.org/hook"\n[http]\nenabled = false\n',
    2,
    "telegram.webhook_url",
    "allowed: none while http.enabled is false",
  ],
  ["[mcp.servers.m]\n", 1, "mcp.servers.m", "found neither, allowed: either command or url"],
  [
    '[mcp.servers.m]\ncommand = "c"\nurl = "http://127.0.0.1:1"\n',
    1,
    "mcp.servers.m",
    "found both, allowed: either command or url",
  ],
  ['[mcp.servers.a__b]\ncommand = "c"\n', 1, "mcp.servers.a__b", "a__b"],
  [
    '[mcp.servers.m]\ncommand = "c"\n[mcp.servers.m.env]\n"A=B" = "c"\n',
    4,
    "mcp.servers.m.env.A=B",
    "A=B",
  ],
  [WORKSPACE + WORKSPACE, 5, "workspaces[1].name", 'the name "a" is taken'],
  [job("") + job(""), 8, "routines.jobs[1].name", 'the name "j" is taken'],
  [job('schedule = "61 * * * *"'), 3, "routines.jobs[0].schedule", 'found "61 * * * *": '],
  [job('schedule = "@daily"'), 3, "routines.jobs[0].schedule", 'found "@daily": '],
  [
    job('schedule = "0 0 0 * * * 2030"'),
    3,
    "routines.jobs[0].schedule",
    "7 fields instead of 5 or 6",
  ],
  [job('timezone = "Mars/Base"'), 3, "routines.jobs[0].timezone", 'such as "Europe/Berlin"'],
  [WORKSPACE + job('workspace = "b"'), 6, "routines.jobs[0].workspace", 'found "b", allowed: a'],
  [job('mode = "plan"'), 1, "routines.jobs[0].workspace", 'missing: mode "plan" needs one'],
];

test.each(CASES)("findFaults() refuses %j at line %d", async (text, line, key, message) => {
  const problems = await problemsOf(text);
  expect(problems).toEqual([
    { file: "config.toml", line, key, message: expect.stringContaining(message) },
  ]);
});

test.each([
  job('schedule = "30 0 8 * * 1-5"'),
  job('timezone = "Asia/Shanghai"'),
  job('timezone = ""'),
  WORKSPACE + job('workspace = "a"\nmode = "apply"').replace('mode = "ask"\n', ""),
  `${PROVIDER}[default]\nprovider = "x"\n[reliability]\nfallback_providers = ["x"]\n`,
])("findFaults() accepts %j", async (text) => {
  expect((await loadFrom(text)).warnings).toEqual([]);
});
