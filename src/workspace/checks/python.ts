import type { CheckCommand } from "../workspace.ts";
import { isMember } from "./node.ts";
import type { Detector, Project } from "./project.ts";
import { parseToml, tableIn, textsIn } from "./read-text.ts";

const MANIFESTS = ["pyproject.toml", "setup.py", "setup.cfg", "requirements.txt"];
const MAX_PYTHON_PATHS = 64;
const PYTHON = ".venv/bin/python";

/** Compiles what can be imported, then the tests by the runner that the project is set up for. */
export const detectPython: Detector = (project) => {
  const { names } = project;
  const from = [...MANIFESTS, "pytest.ini", "tox.ini"].find((name) => names.has(name));
  if (from === undefined) return [];
  const python = pythonOf(project);
  return [...compileAll(project, python, from), ...findTests(project, python)];
};

function compileAll(
  { names, profile }: Project,
  python: readonly string[],
  from: string,
): readonly CheckCommand[] {
  const modules = [...names].filter((name) => /^\w+\.py$/u.test(name)).toSorted();
  const paths = [...profile.sourceRoots, ...profile.testRoots, ...modules];
  if (paths.length === 0) return [];
  // Not one command with the first of them: what is not compiled is not checked.
  const commands = Math.ceil(paths.length / MAX_PYTHON_PATHS);
  return Array.from({ length: commands }, (_, n) => {
    const own = paths.slice(n * MAX_PYTHON_PATHS, (n + 1) * MAX_PYTHON_PATHS);
    return { name: "verify", argv: [...python, "-m", "compileall", "-q", ...own], from };
  });
}

/** The environment of the project or of its workspace root; poetry's own; else what is on PATH. */
function pythonOf({ executables, names, above, hasProgram }: Project): readonly string[] {
  if (executables.has(PYTHON)) return [PYTHON];
  const root = above.find(({ texts, path }) => {
    const uv = tableIn(parseToml(texts.get("pyproject.toml")), "tool", "uv", "workspace");
    const isOut = isMember(textsIn(uv["exclude"]), path);
    return isMember(textsIn(uv["members"]), path) && !isOut;
  });
  if (root?.executables.has(PYTHON)) return [`${root.prefix}${PYTHON}`];
  return names.has("poetry.lock") && hasProgram("poetry")
    ? ["poetry", "run", "python"]
    : ["python3"];
}

function findTests(project: Project, python: readonly string[]): readonly CheckCommand[] {
  const pytest = findPytest(project);
  if (pytest !== undefined) {
    return [{ name: "test", argv: [...python, "-m", "pytest", "-q"], from: pytest }];
  }
  return findUnittest(project).map(({ options, from }) => ({
    name: "test",
    argv: [...python, "-m", "unittest", "discover", "-q", ...options],
    from,
  }));
}

const PYTEST_SECTIONS: readonly (readonly [string, RegExp, string])[] = [
  ["pytest.ini", /^[ \t]*\[pytest\]/mu, "[pytest]"],
  [".pytest.ini", /^[ \t]*\[pytest\]/mu, "[pytest]"],
  ["pyproject.toml", /^[ \t]*\[tool\.pytest\b/mu, "[tool.pytest]"],
  ["tox.ini", /^[ \t]*\[pytest\]/mu, "[pytest]"],
  ["setup.cfg", /^[ \t]*\[tool:pytest\]/mu, "[tool:pytest]"],
];

/** A requirement on pytest itself, not on one of its plugins. */
const NEEDS_PYTEST = /(?:^[ \t]*|["'])pytest(?:\[[\w,]+\])?\s*(?:[<>=~!;"'\s]|$)/mu;

/** Where pytest is configured, or declared by a project that has tests. */
function findPytest({ names, texts }: Project): string | undefined {
  for (const [name, section, shown] of PYTEST_SECTIONS) {
    if (section.test(texts.get(name) ?? "")) return `${name}: ${shown}`;
  }
  const hasTests = [...names].some((name) => /(?:^|\/)(?:test_\w+|\w+_test)\.py$/u.test(name));
  if (!hasTests) return undefined;
  const conftest = [...names].find((name) => /^(?:[\w.-]+\/)?conftest\.py$/u.test(name));
  if (conftest !== undefined) return conftest;
  return [...texts.keys()].find(
    (name) =>
      (name === "pyproject.toml" || /requirements[\w-]*\.txt$/u.test(name)) &&
      NEEDS_PYTEST.test(texts.get(name) ?? ""),
  );
}

const USES_UNITTEST = /^[ \t]*(?:import|from)[ \t]+unittest\b/mu;

/** Folders, or the root, whose test modules are written for Python's own runner. */
function findUnittest({ names, texts }: Project): readonly {
  readonly options: readonly string[];
  readonly from: string;
}[] {
  const modules = [...texts].filter(([, text]) => USES_UNITTEST.test(text)).map(([path]) => path);
  const python = modules.filter((path) => path.endsWith(".py") && path !== "noxfile.py");
  const folders = new Set(python.map((path) => path.slice(0, Math.max(0, path.indexOf("/")))));
  return [...folders].map((folder) => ({
    options: folder === "" ? [] : ["-s", folder, ...topOf(folder, names)],
    from: `${python.find((path) => path.startsWith(folder)) ?? folder}: unittest`,
  }));
}

/** A folder of tests that is a package is imported from the root. */
function topOf(folder: string, names: ReadonlySet<string>): readonly string[] {
  return names.has(`${folder}/__init__.py`) ? ["-t", "."] : [];
}
