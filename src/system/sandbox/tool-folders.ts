import { basename, dirname, join } from "node:path";

/** Where tools keep themselves and the packages they downloaded, below the home folder. */
const IN_HOME: readonly string[] =
  `.asdf .bun .cargo .deno .fnm .jenv .nix-profile .nodenv .nvm .pyenv .rbenv .rustup .sdkman .volta
  .virtualenvs .conda anaconda3 mambaforge miniconda3 miniforge3 go sdk
  .m2/repository .m2/wrapper .mix .nuget/packages .gem/ruby .yarn/berry
  .local/bin .local/lib .local/share/gem .local/state/nix .cache/deno
  .local/share/fnm .local/share/mise .local/share/pnpm .local/share/pypoetry
  .local/share/uv/python .local/share/uv/tools .local/share/virtualenvs
  .cache/Cypress .cache/ms-playwright .cache/node .cache/puppeteer .cache/pypoetry .cache/uv`.split(
    /\s+/,
  );

/** Variables that name such a folder somewhere else. */
const VARIABLES: readonly string[] =
  `BUN_INSTALL NVM_DIR VOLTA_HOME PNPM_HOME COREPACK_HOME CARGO_HOME RUSTUP_HOME GOPATH GOROOT
  GOMODCACHE PYENV_ROOT VIRTUAL_ENV JAVA_HOME`.split(/\s+/);

/** `bin` of a package that has its other parts next to it. */
const BIN_NAMES: ReadonlySet<string> = new Set(["bin", ".bin", "sbin", "shims"]);

/**
 * Folders that the tools of a project need to be seen, whether they exist or not. They are
 * named one by one, because the rest of a home folder is nobody's business.
 */
export function toolFolders(
  env: Readonly<Record<string, string>>,
  home: string,
): readonly string[] {
  const named = VARIABLES.flatMap((name) => env[name]?.split(":") ?? []);
  const onPath = (env["PATH"] ?? "").split(":").map((folder) => packageOf(folder, home));
  const all = [...IN_HOME.map((name) => join(home, name)), ...named, ...onPath];
  return all.filter((folder) => folder.startsWith("/"));
}

/** The folder around a `bin`, unless that holds more than one package. */
function packageOf(folder: string, home: string): string {
  const parent = dirname(folder);
  const isShared = parent === home || parent === join(home, ".local");
  return BIN_NAMES.has(basename(folder)) && !isShared ? parent : folder;
}

/** Files inside tool folders that hold credentials. */
export function toolSecrets(
  env: Readonly<Record<string, string>>,
  home: string,
): readonly string[] {
  const cargo = env["CARGO_HOME"] ?? join(home, ".cargo");
  return [join(cargo, "credentials"), join(cargo, "credentials.toml")];
}
