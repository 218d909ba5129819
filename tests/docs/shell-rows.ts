import type { ShellOptions, ShellScene } from "./shell-scene.ts";

/** What has to be there before a snippet can be typed, and what its capital words stand for. */
export interface Row extends ShellOptions {
  readonly prepare?: (scene: ShellScene) => Promise<Readonly<Record<string, string>>>;
  /** What must be on the screen in the end. */
  readonly shows: RegExp;
}

const SITE = '[[workspaces]]\nname = "site"\npath = "./home/projects/site"\n';
const JOB = `[[routines.jobs]]
name = "morning-tidy"
schedule = "0 8 * * *"
workspace = "notes"
task = "add what a newcomer would miss"
`;

/** How each snippet is typed that is for a shell with papa-yu in it, by its name. */
export const ROWS: Readonly<Record<string, Row>> = {
  "README.md: npm run papayu -- init ~/.papa-yu": { shows: /wrote \S+\/\.papa-yu\/config\.toml/u },
  'README.md: papayu routine add --name tidy --schedule "every weekday at 9:30" --task "Tidy the notes" -w site --mode plan':
    { more: SITE, shows: /30 9 \* \* 1-5 in [^]*added "tidy"/u },
  'docs/cli.md: plan=$(papayu plan "add a README" -w notes --json | jq -r .plan_id)': {
    shows: /"status":"committed"/u,
  },
  "docs/cli.md: git -C ../other diff | papayu apply --patch - -w notes --yes": {
    shows: /Applied in notes[^]*\[y\/N\][^]*Applied in notes/u,
  },
  "docs/configuration.md: papayu config path": { isFound: true, shows: /trusted/u },
  "docs/configuration.md: papayu config get security.autonomy": {
    more: JOB,
    shows: /^supervised[^]*\[42, 43\][^]*enabled = false[^]*workspaces\.site[^]*turn_timeout_s/u,
  },
  'docs/http.md: curl -N -H "Authorization: Bearer $(cat ~/.papa-yu/http.token)" \\': {
    isRunning: true,
    shows: /200 [^]*data: \[DONE\]/u,
  },
  'docs/routines.md: papayu routine add --name morning-tidy --schedule "every day at 8" -w sample \\':
    {
      shows: /0 8 \* \* \* in [^]*added "morning-tidy"/u,
    },
  'docs/routines.md: curl -H "X-Trigger-Secret: $SECRET" -d "disk is full" \\': {
    isRunning: true,
    shows: /202 [^]*started/u,
  },
  "docs/routines.md: papayu routine list": {
    async prepare({ sandbox }) {
      const task = ["--task", "add what a newcomer would miss", "-w", "notes", "--mode", "plan"];
      await sandbox.run("routine", "add", "--name", "tidy", "--schedule", "0 8 * * *", ...task);
      return { NAME: "tidy" };
    },
    shows: /Nothing was applied or kept[^]*disabled "tidy"[^]*removed "tidy"/u,
  },
  "docs/telegram.md: export TELEGRAM_BOT_TOKEN=4242:AAE…": { shows: /^\[ended 0\]/u },
  "docs/traces.md: papayu trace list -w notes": {
    async prepare({ sandbox }) {
      await sandbox.run("apply", "--goal", "write a README", "-w", "notes", "--yes");
      const { stdout } = await sandbox.run("trace", "list", "-w", "notes");
      return { TRACE_ID: /trace_\w+/u.exec(stdout)?.[0] ?? "" };
    },
    shows: /LLM_PLAN_OK[^]*1 apply/u,
  },
};
