import { firstOf } from "../../core/few.ts";
import type { CheckCommand } from "../workspace.ts";
import { isMember } from "./node.ts";
import type { Detector, Project } from "./project.ts";
import { parseToml, tableIn, textsIn, toWords } from "./read-text.ts";

/** Where checks may keep what would otherwise be built outside of the workspace. */
const OWN_BUILDS = ".papa-yu/cache";

/** Types first, then all tests of all packages. */
export const detectRust: Detector = (project) => {
  if (!project.names.has("Cargo.toml")) return [];
  const { workspace } = parseToml(project.texts.get("Cargo.toml"));
  const options = [
    ...(workspace === undefined ? [] : ["--workspace"]),
    ...(cargoRootOf(project) ? ["--target-dir", `${OWN_BUILDS}/cargo`] : []),
  ];
  return [
    { name: "verify", argv: ["cargo", "check", ...options], from: "Cargo.toml" },
    { name: "test", argv: ["cargo", "test", ...options], from: "Cargo.toml" },
  ];
};

/** The workspace above, which would build into its own folder. */
function cargoRootOf({ above, texts }: Project): boolean {
  if (parseToml(texts.get("Cargo.toml"))["workspace"] !== undefined) return false;
  return above.some(({ texts: around, path }) => {
    const root = parseToml(around.get("Cargo.toml"));
    if (root["workspace"] === undefined) return false;
    return !isMember(textsIn(tableIn(root, "workspace")["exclude"]), path);
  });
}

/** Vets and tests all packages; of a `go.work`, those of every module in it. */
export const detectGo: Detector = ({ names, texts }) => {
  const from = ["go.mod", "go.work"].find((name) => names.has(name));
  if (from === undefined) return [];
  if (from === "go.mod") return goChecks(["./..."], from);
  const modules = modulesIn(texts.get("go.work") ?? "");
  let place = from;
  const some = firstOf(modules, MOST_MODULES).take((left, all) => {
    place = `${from}: the first ${all - left} of ${all} modules`;
  });
  return some.length === 0 ? [] : goChecks(some, place);
};

function goChecks(patterns: readonly string[], from: string): readonly CheckCommand[] {
  return [
    { name: "verify", argv: ["go", "vet", ...patterns], from },
    { name: "test", argv: ["go", "test", ...patterns], from },
  ];
}

const MOST_MODULES = 50;

/** Patterns for the modules inside the folder that a `go.work` uses. */
function modulesIn(text: string): readonly string[] {
  const plain = text.replace(/\/\/.*$/gmu, "");
  const uses = plain.matchAll(/^use\s*(?:\(([^()]*)\)|([^\s(]+))/gmu);
  const folders = [...uses].flatMap(([, many, one]) => toWords(many ?? one ?? ""));
  return folders
    .filter((folder) => /^(?:\.|\.\/[\w./-]+)$/u.test(folder) && !folder.includes(".."))
    .map((folder) => `${folder.replace(/\/+$/u, "")}/...`);
}

/** Maven by its wrapper, that of a parent folder, or the installed one. */
export const detectMaven: Detector = (project) => {
  if (!project.names.has("pom.xml")) return [];
  const program = wrapperOf(project, "mvnw", ["pom.xml"]) ?? "mvn";
  const offline = project.network ? [] : ["-o"];
  return [{ name: "test", argv: [program, "-q", "-B", ...offline, "test"], from: "pom.xml" }];
};

const GRADLE_FILES = ["build.gradle.kts", "build.gradle", "settings.gradle.kts", "settings.gradle"];

/** Gradle by its wrapper, that of a parent folder, or the installed one; no daemon is left. */
export const detectGradle: Detector = (project) => {
  const from = GRADLE_FILES.find((name) => project.names.has(name));
  if (from === undefined) return [];
  const settings = ["settings.gradle.kts", "settings.gradle"];
  const wrapper = wrapperOf(project, "gradlew", settings);
  const program = wrapper ?? "gradle";
  const isBelow = !settings.some((name) => project.names.has(name)) && wrapper?.startsWith("../");
  const options = [
    ...(isBelow ? ["--project-cache-dir", `${OWN_BUILDS}/gradle`] : []),
    ...(project.network ? [] : ["--offline"]),
  ];
  const argv = [program, "--no-daemon", "--console=plain", "-q", ...options, "test"];
  return [{ name: "test", argv, from }];
};

function wrapperOf(
  { executables, above }: Project,
  name: string,
  marks: readonly string[],
): string | undefined {
  if (executables.has(name)) return `./${name}`;
  const parent = above.find(
    (folder) => folder.executables.has(name) && marks.some((mark) => folder.texts.has(mark)),
  );
  return parent && `${parent.prefix}${name}`;
}

/** The one solution of the folder, or its one project; which of several is not ours to say. */
export const detectDotnet: Detector = ({ names }) => {
  const ending = (pattern: RegExp) => [...names].filter((name) => pattern.test(name));
  const solutions = ending(/^[^/]+\.slnx?$/u);
  const candidates = solutions.length > 0 ? solutions : ending(/^[^/]+\.(?:cs|fs|vb)proj$/u);
  const [file] = candidates;
  if (file === undefined || candidates.length > 1) return [];
  return [{ name: "test", argv: ["dotnet", "test", "--nologo", `./${file}`], from: file }];
};

const CMAKE_BUILDS = ["build", "_build", "out", "cmake-build-debug"];

/** Builds and runs CTest in the build folder that is there, or in one of papa-yu's own. */
export const detectCmake: Detector = ({ names, texts }) => {
  const from = "CMakeLists.txt";
  const text = texts.get(from);
  if (text === undefined || !/^[ \t]*project\s*\(/imu.test(text)) return [];
  const existing = CMAKE_BUILDS.find((folder) => names.has(`${folder}/CMakeCache.txt`));
  const folder = existing ?? `${OWN_BUILDS}/cmake`;
  const configure: CheckCommand = {
    name: "verify",
    argv: ["cmake", "-S", ".", "-B", folder],
    from,
  };
  // Indented ones depend on a condition, and CTest without tests passes whatever was changed.
  const hasTests = /^(?:enable_testing\s*\(|include\s*\(\s*CTest\s*\))/imu.test(text);
  return [
    ...(existing === undefined ? [configure] : []),
    { name: "build", argv: ["cmake", "--build", folder], from },
    ...(hasTests
      ? [{ name: "test", argv: ["ctest", "--test-dir", folder, "--output-on-failure"], from }]
      : []),
  ];
};

/** Builds a Swift package, and runs its tests where it has some. */
export const detectSwift: Detector = ({ names }) => {
  const from = "Package.swift";
  if (!names.has(from)) return [];
  const test = { name: "test", argv: ["swift", "test"], from };
  return [
    { name: "build", argv: ["swift", "build"], from },
    ...(names.has("Tests/") ? [test] : []),
  ];
};

/** The step `test` of a build.zig, or its build. */
export const detectZig: Detector = ({ names, texts }) => {
  const from = "build.zig";
  if (!names.has(from)) return [];
  return /\.step\(\s*"test"/u.test(texts.get(from) ?? "")
    ? [{ name: "test", argv: ["zig", "build", "test"], from: `${from}: test` }]
    : [{ name: "build", argv: ["zig", "build"], from }];
};
