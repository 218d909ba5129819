import { LANGUAGES, type Language } from "./languages.ts";

type Name = keyof typeof LANGUAGES;

/** Which ends of names, and which names, are of which language. */
export const FILES: Readonly<Record<Name, string>> = {
  script: "js mjs cjs jsx ts mts cts tsx",
  c: "c h cc cpp cxx c++ hpp hh hxx ino m mm",
  managed: "java cs csx kt kts scala sc sbt dart groovy gradle",
  go: "go",
  rust: "rs",
  swift: "swift",
  zig: "zig",
  php: "php phtml",
  python: "py pyi pyw bzl star",
  ruby: "rb rake gemspec ru gemfile rakefile",
  elixir: "ex exs",
  shell: "sh bash zsh ksh fish bats env .bashrc .zshrc .profile",
  perl: "pl pm",
  r: "r",
  docker: "dockerfile containerfile",
  make: "mk mak makefile",
  yaml: "yaml yml",
  toml: "toml",
  ini: "ini cfg conf properties desktop service timer socket .gitconfig .editorconfig .npmrc",
  terraform: "tf tfvars hcl nomad",
  nix: "nix",
  json: "json jsonc json5 webmanifest geojson",
  css: "css",
  scss: "scss less sass",
  sql: "sql",
  lua: "lua",
  haskell: "hs elm",
  ml: "ml mli fs fsi fsx",
  erlang: "erl hrl",
  lisp: "clj cljs cljc edn el lisp scm",
  graphql: "graphql gql",
  proto: "proto",
  powershell: "ps1 psm1 psd1",
  markup: "html htm xhtml xml svg xsd xsl xslt plist csproj fsproj props",
  component: "vue svelte astro",
  markdown: "md markdown mdx",
};

/** The language of a file, by its name; undefined: none that is known here. */
export function languageOf(path: string): Language | undefined {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  const end = name.slice(name.lastIndexOf(".") + 1);
  const [first = ""] = name.split(".", 1);
  const found = [name, end, first].map(namedBy).find((each) => each !== undefined);
  if (!found) return undefined;
  const { line, blocks, longs, quotes, slashes = false, ticks = false, isMarkup = false } = found;
  const openers = [...line, ...[...blocks, ...longs].map(([open]) => open)];
  const signs = `${slashes ? "/" : ""}${ticks ? "'" : ""}${isMarkup ? `"'` : ""}`;
  const starts = openers.map((open) => open.charAt(0)).join("") + quotes + signs;
  return { ...found, starts, words: new Set(found.words.split(" ").filter(Boolean)) };
}

type Entry = Omit<Language, "words" | "starts"> & { readonly words: string };

function namedBy(end: string): Entry | undefined {
  if (end === "") return undefined;
  const found = Object.entries(FILES).find(([, ends]) => ` ${ends} `.includes(` ${end} `));
  return found && ENTRIES.get(found[0]);
}

const ENTRIES: ReadonlyMap<string, Entry> = new Map(Object.entries<Entry>(LANGUAGES));
