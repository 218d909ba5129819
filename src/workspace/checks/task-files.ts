import { firstOf } from "../../core/few.ts";
import type { CheckCommand } from "../workspace.ts";
import type { Detector, Project } from "./project.ts";
import { firstLine, keysBelow, parseJson, tableIn, textBefore, toWords } from "./read-text.ts";

/** Tasks by name, with the names of those that run before them. */
type Tasks = ReadonlyMap<string, readonly string[]>;

/** Recipes `check` and `test` of a justfile that can be run without arguments. */
export const detectJust: Detector = (project) => {
  const file = firstText(project, ["justfile", "Justfile", ".justfile"]);
  return file ? fromTasks(file.name, readRecipes(file.text), (task) => ["just", task]) : [];
};

/** Targets `check` and `test` of the Makefile that make takes; files it includes are not read. */
export const detectMake: Detector = (project) => {
  const file = firstText(project, ["GNUmakefile", "makefile", "Makefile"]);
  return file ? fromTasks(file.name, readTargets(file.text), (task) => ["make", task]) : [];
};

/** Tasks `check` and `test` of a Taskfile. */
export const detectTaskfile: Detector = (project) => {
  const file = firstText(project, [
    "Taskfile.yml",
    "taskfile.yml",
    "Taskfile.yaml",
    "taskfile.yaml",
  ]);
  if (!file) return [];
  const tasks = new Map(keysBelow(file.text, "tasks").map((name) => [name, []] as const));
  return fromTasks(file.name, tasks, (task) => ["task", task]);
};

/** Scripts `check` and `test` of a composer.json. */
export const detectComposer: Detector = ({ texts }) => {
  const text = texts.get("composer.json");
  if (text === undefined) return [];
  const scripts = tableIn(parseJson(text), "scripts");
  const tasks = new Map(Object.keys(scripts).map((name) => [name, []] as const));
  const run = (task: string) => ["composer", "run-script", "--no-interaction", task];
  return fromTasks("composer.json", tasks, run);
};

/**
 * tox or nox, where they are installed and checks have a network: what they make anew they fetch,
 * and what is left of earlier runs may hold the package as it was.
 */
export const detectToxOrNox: Detector = ({ texts, network, hasProgram }) => {
  if (!network) return [];
  const tox = texts.get("tox.ini");
  if (tox !== undefined && /^\[(?:tox|testenv)\b/mu.test(tox) && hasProgram("tox")) {
    return [{ name: "test", argv: ["tox", "-q"], from: "tox.ini" }];
  }
  return texts.has("noxfile.py") && hasProgram("nox")
    ? [{ name: "test", argv: ["nox"], from: "noxfile.py" }]
    : [];
};

const MOST_HOOKS = 8;
const PRE_COMMIT = ".pre-commit-config.yaml";

/** The project's own hooks that need no download, where pre-commit is installed. */
export const detectPreCommit: Detector = ({ texts, names, hasProgram }) => {
  const text = texts.get(PRE_COMMIT);
  const isRepository = names.has(".git/") || names.has(".git");
  if (text === undefined || !isRepository || !hasProgram("pre-commit")) return [];
  let more = "";
  const hooks = firstOf(readOwnHooks(text), MOST_HOOKS).take((left, all) => {
    more = `, of the first ${all - left} of ${all} hooks`;
  });
  return hooks.map((id) => ({
    name: "verify",
    argv: ["pre-commit", "run", id, "--all-files"],
    from: `${PRE_COMMIT}: ${id}${more}`,
  }));
};

function firstText(
  { names, texts }: Project,
  candidates: readonly string[],
): { readonly name: string; readonly text: string } | undefined {
  const name = candidates.find((each) => names.has(each));
  const text = name === undefined ? undefined : texts.get(name);
  return name === undefined || text === undefined ? undefined : { name, text };
}

/** `check` before `test`, and only the one that runs the other; alone each is the test. */
function fromTasks(
  file: string,
  tasks: Tasks,
  run: (task: string) => readonly string[],
): readonly CheckCommand[] {
  const command = (name: string, task: string): CheckCommand => ({
    name,
    argv: run(task),
    from: `${file}: ${task}`,
  });
  const check = tasks.get("check");
  const test = tasks.get("test");
  if (!check && !test) return [];
  if (!test || check?.includes("test")) return [command("test", "check")];
  if (!check || test.includes("check")) return [command("test", "test")];
  return [command("verify", "check"), command("test", "test")];
}

/** Recipes without a parameter that has to be given. */
function readRecipes(text: string): Tasks {
  const recipes = new Map<string, readonly string[]>();
  for (const line of text.split("\n")) {
    const at = line.indexOf(":");
    if (at <= 0 || line.startsWith(" ") || line.startsWith("\t") || line[at + 1] === "=") continue;
    const [name = "", ...parameters] = toWords(line.slice(0, at).replace(/^@/u, ""));
    const needs = parameters.some((each) => !each.includes("=") && !each.startsWith("*"));
    if (/^[A-Za-z_][\w-]*$/u.test(name) && !needs) {
      recipes.set(name, toWords(textBefore(line.slice(at + 1), "#")));
    }
  }
  return recipes;
}

/** The only targets that are kept: a file may have any number, and each any number before it. */
const ASKED_FOR = ["check", "test"];

/** Rules, not assignments of any kind, and nothing of what a `define` holds. */
function readTargets(text: string): Tasks {
  const targets = new Map<string, readonly string[]>();
  let isDefined = false;
  for (const line of text.replaceAll("\\\n", " ").split("\n")) {
    if (/^ *(?:override +)?define\b/u.test(line)) isDefined = true;
    if (/^ *endef\b/u.test(line)) isDefined = false;
    const at = line.indexOf(":");
    if (isDefined || at <= 0 || line.startsWith("\t")) continue;
    const head = line.slice(0, at);
    const rest = line.slice(at + 1).replace(/^:/u, "");
    if (/[#=]/u.test(head) || /^:?=/u.test(rest) || ASSIGNS.test(rest)) continue;
    const before = new Set(toWords(textBefore(textBefore(rest, "#"), ";")));
    const heads = new Set(toWords(head));
    for (const name of ASKED_FOR.filter((each) => heads.has(each))) {
      const known = targets.get(name) ?? [];
      targets.set(
        name,
        ASKED_FOR.filter((each) => known.includes(each) || before.has(each)),
      );
    }
  }
  return targets;
}

/** `target: NAME = value` gives a variable to a target, and makes none. */
const ASSIGNS = /^\s*(?:(?:export|override|private)\s+)*[\w.-]+\s*[:?+!]{0,3}=/u;

/** Hooks of `repo: local` that run by themselves on what is there. */
function readOwnHooks(text: string): readonly string[] {
  const repos = text.split(/^[ \t]*-[ \t]+repo:/mu).slice(1);
  const own = repos.filter((repo) => /^\s*["']?local["']?\s*(?:#.*)?$/u.test(firstLine(repo)));
  return own.flatMap((repo) =>
    repo
      .split(/^[ \t]*-[ \t]+(?=id:)/mu)
      .slice(1)
      .filter((hook) => /^[ \t]*language:[ \t]*["']?(?:system|script|pygrep|fail)\b/mu.test(hook))
      .filter((hook) => !/^[ \t]*stages:/mu.test(hook))
      .flatMap(
        (hook) =>
          /^id:\s*["']?([A-Za-z0-9][\w.-]{0,99})["']?\s*$/u.exec(firstLine(hook))?.[1] ?? [],
      ),
  );
}
