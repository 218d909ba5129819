import type { Detector, Project } from "./project.ts";

/** RSpec, Rails or a Rakefile's task, through Bundler where a Gemfile says which versions. */
export const detectRuby: Detector = (project) => {
  const { names, texts, executables } = project;
  const gems = texts.get("Gemfile") ?? "";
  if (names.has(".rspec") || (names.has("spec/") && /\brspec\b/u.test(gems))) {
    const from = names.has(".rspec") ? ".rspec" : "Gemfile: rspec";
    return [{ name: "test", argv: bundled(project, "rspec"), from }];
  }
  if (executables.has("bin/rails") && names.has("test/")) {
    return [{ name: "test", argv: ["bin/rails", "test"], from: "bin/rails" }];
  }
  return RAKE_TEST.test(texts.get("Rakefile") ?? "")
    ? [{ name: "test", argv: bundled(project, "rake", "test"), from: "Rakefile: test" }]
    : [];
};

const RAKE_TEST =
  /^[ \t]*(?:Rake::TestTask\.new(?:\(\s*:test\b|\s*(?:do\b|\{|#|$))|Minitest::TestTask\.create(?:\(\s*:test\b|\s*(?:do\b|\{|#|$))|task(?:\s*\(\s*|\s*)(?::test\b|["']test["']|test:))/mu;

function bundled({ names }: Project, ...argv: readonly string[]): readonly string[] {
  return names.has("Gemfile") ? ["bundle", "exec", ...argv] : argv;
}

const PHPUNIT_FILES = ["phpunit.xml", "phpunit.xml.dist", "phpunit.dist.xml"];

/** PHPUnit where it is configured, the project's own before an installed one. */
export const detectPhp: Detector = ({ names }) => {
  const from = PHPUNIT_FILES.find((name) => names.has(name));
  if (from === undefined) return [];
  const own = "vendor/bin/phpunit";
  const program = names.has(own) ? own : "phpunit";
  return [{ name: "test", argv: [program, "--no-progress"], from }];
};

/** Mix compiles before it tests. */
export const detectElixir: Detector = ({ names }) =>
  names.has("mix.exs") ? [{ name: "test", argv: ["mix", "test"], from: "mix.exs" }] : [];
