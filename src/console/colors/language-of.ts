import type { Language } from "./languages.ts";

/** The language of a file, by its name; undefined: none that has colours. */
export function languageOfFile(path: string): Language | undefined {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  const [, end = ""] = /\.([^.]+)$/u.exec(name) ?? [];
  const whole = NAMES.get(name) ?? NAMES.get(name.split(".", 1)[0] ?? "");
  return whole ?? ENDS.get(end);
}

const ENDS = toMap({
  bash: "sh bash zsh ksh bats",
  c: "c h cc cpp cxx c++ hpp hh hxx ino",
  clojure: "clj cljs cljc edn",
  csharp: "cs csx",
  css: "css",
  dart: "dart",
  diff: "diff patch",
  docker: "dockerfile",
  elixir: "ex exs",
  erlang: "erl hrl",
  fsharp: "fs fsi fsx",
  go: "go",
  graphql: "graphql gql",
  haskell: "hs",
  hcl: "hcl nomad",
  html: "html htm xhtml",
  ini: "ini cfg conf properties desktop",
  java: "java",
  javascript: "js mjs cjs jsx",
  json: "json webmanifest geojson ipynb",
  jsonc: "jsonc json5",
  kotlin: "kt kts",
  lua: "lua",
  make: "mk mak",
  markdown: "md markdown mdx",
  nix: "nix",
  ocaml: "ml mli",
  perl: "pl pm t",
  php: "php phtml",
  powershell: "ps1 psm1 psd1",
  proto: "proto",
  python: "py pyi pyw",
  r: "r",
  ruby: "rb rake gemspec ru",
  rust: "rs",
  scala: "scala sc sbt",
  scss: "scss less",
  sql: "sql",
  svelte: "svelte",
  swift: "swift",
  terraform: "tf tfvars",
  toml: "toml",
  tsx: "tsx",
  typescript: "ts mts cts",
  vue: "vue",
  xml: "xml svg xsd xsl xslt plist csproj fsproj props",
  yaml: "yaml yml",
  zig: "zig",
});

const NAMES = toMap({
  bash: ".bashrc .profile .zshrc pkgbuild",
  docker: "dockerfile containerfile",
  ini: ".editorconfig .gitconfig",
  json: ".babelrc composer.lock",
  jsonc: "tsconfig.json bun.lock",
  make: "makefile gnumakefile",
  ruby: "gemfile rakefile",
  toml: "cargo.lock poetry.lock uv.lock",
});

function toMap(table: Partial<Readonly<Record<Language, string>>>): ReadonlyMap<string, Language> {
  const languages = Object.keys(table).filter((each): each is Language => each in table);
  return new Map(
    languages.flatMap((language) =>
      (table[language] ?? "").split(" ").map((name) => [name, language] as const),
    ),
  );
}
