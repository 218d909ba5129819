/** What of one program's arguments is code, or names a program to run. */
export interface CodeOptions {
  /** Letters of such options, bundled with others too. */
  readonly letters?: string;
  /** Letters whose value may follow in the same word: what is there is no letter. */
  readonly valued?: string;
  /** All letters whose value may be the next word; without it any may. */
  readonly next?: string;
  /** Long names of such options; with two dashes an abbreviation counts, with one it does not. */
  readonly longs?: string;
  /** Long names that are whole, though they begin another. */
  readonly plain?: string;
  /** First operands that say that code, or a program, follows. */
  readonly commands?: string;
  /** Words, or parts of words, that are such code wherever they occur. */
  readonly words?: RegExp;
  /** Options end with the first operand: what follows belongs to the script that it names. */
  readonly leads?: true;
  /** A letter whose value is the script; options end behind it. */
  readonly script?: string;
  /** One of these words, or the beginning if empty, is followed by a command that it runs. */
  readonly runs?: string;
}

/** A script that comes as an address is code that nobody can look at. */
const ADDRESS = /^(?:-[^=]*=)?(?:data|https?|blob):/iu;
const DATABASE_SHELL =
  /\\|\bcopy\b[^]*\bprogram\b|(?:^(?:-e|--execute=)?|[;\n])\s*(?:system|source|pager|tee)\s/iu;

/** By the names of programs, in lower case and without a version. */
export const CODE_OPTIONS: ReadonlyMap<string, CodeOptions> = new Map(
  Object.entries({
    // shells and interpreters
    "sh bash rbash dash ash zsh ksh rksh mksh yash osh ysh oil rc es fish xonsh nu elvish csh tcsh pwsh powershell":
      {
        letters: "csC",
        next: "oO",
        longs: "command commandwithargs encodedcommand ec init-file rcfile init-command",
        leads: true,
      },
    "python pypy micropython jython ipython": {
      letters: "c",
      valued: "WX",
      next: "WX",
      script: "m",
      words: /^(?:-\w*m)?(?:timeit|pdb|ipython|c?profile|trace)$/iu,
      leads: true,
    },
    "node nodejs tsx ts-node electron qjs": {
      letters: "epr",
      longs: "eval print require import loader experimental-loader entry-url",
      commands: "inspect",
      words: ADDRESS,
      leads: true,
    },
    bun: {
      letters: "epr",
      longs: "eval print require import preload",
      commands: "exec repl",
      words: ADDRESS,
      leads: true,
      runs: "x run",
    },
    deno: { longs: "eval", commands: "eval repl", words: ADDRESS },
    perl: { letters: "eEMmFd", valued: "Ixi", next: "I", leads: true },
    "ruby jruby irb rake": {
      letters: "er",
      longs: "execute require",
      valued: "ICEKTWxi",
      leads: true,
    },
    "lua luajit": { letters: "el", leads: true },
    php: {
      letters: "rBRE",
      longs: "run process-begin process-code process-end",
      words: /auto_(?:pre|ap)pend_file|^-d.*(?:data|php):/iu,
      leads: true,
    },
    "elixir iex": { letters: "er", longs: "eval rpc-eval", leads: true },
    julia: { letters: "eEL", longs: "eval print load", leads: true },
    "r rscript": { letters: "e" },
    "osascript raku racket bb gnuplot octave": { letters: "e", longs: "eval", leads: true },
    "guile swipl": { letters: "cegt", leads: true },
    "groovy scala kotlin clojure clj erl ghc runghc": {
      words: /^-(?:e(?:val|xpression)?$|e\W|-eval|pgm|F$)/u,
    },
    sbcl: { longs: "eval load", leads: true },
    java: { words: /^-(?:javaagent|agent|XX:On)/u, leads: true },
    // programs that start other programs
    "npx bunx": {
      letters: "c",
      longs: "call shell shell-mode script-shell node-options",
      leads: true,
      runs: "",
    },
    "npm pnpm yarn": {
      letters: "c",
      longs: "call shell-mode script-shell node-options",
      runs: "exec x dlx node",
    },
    env: { letters: "S", longs: "split-string" },
    "uv poetry pipenv pdm hatch rye conda mamba": { runs: "run tool" },
    "uvx pipx": { runs: "" },
    "bundle rbenv pyenv nodenv goenv asdf mise direnv": { runs: "exec x" },
    "docker podman kubectl": { runs: "run exec compose" },
    "nix nix-shell nix-build nix-instantiate": {
      letters: "cE",
      longs: "run command expr",
    },
    go: { longs: "exec toolexec vettool", words: /-extld\b/u },
    cargo: { longs: "config" },
    "gcc g++ cc c++ clang clang++": {
      longs: "wrapper fplugin load specs",
      words: /^-f(?:pass-)?plugin|^-specs/u,
    },
    "make gmake": {
      letters: "E",
      valued: "CfIjloW",
      longs: "eval",
      words: /^(?:\.?SHELL(?:FLAGS)?|G?N?U?MAKEFLAGS|MAKEFILES)\s*[:?+!]*=/u,
    },
    nodemon: { letters: "x", longs: "exec execmap" },
    nim: { commands: "e" },
    cmake: { letters: "E", valued: "DSBGUCPTA" },
    "swift mix": { letters: "e", valued: "IDL" },
    rails: { commands: "runner r" },
    tox: { letters: "x", longs: "override", valued: "cemnp" },
    rustc: { words: /linker=/u },
    mvn: { words: /^exec:/u },
    "tar bsdtar gtar": {
      letters: "IF",
      valued: "fCbTXKLNVgH",
      longs: `checkpoint-action to-command use-compress-program info-script new-volume-script
        rsh-command rmt-command`,
      plain: "checkpoint",
    },
    cpio: { longs: "rsh-command" },
    zip: { letters: "T", longs: "unzip-command" },
    sort: { longs: "compress-program" },
    split: { longs: "filter" },
    "sdiff diff3": { longs: "diff-program" },
    install: { longs: "strip-program" },
    patch: { letters: "e", valued: "pioBbDdFgrVYz", longs: "ed" },
    rsync: { letters: "eM", valued: "fTB", longs: "rsh rsync-path remote-option" },
    "scp sftp": { letters: "SoFJDb" },
    wget: { letters: "e", longs: "execute use-askpass", valued: "OoaPUtTwQlADIXBi" },
    tcpdump: { letters: "z", valued: "irwcsCGWFTyEBM", longs: "postrotate-command" },
    "nc netcat": { letters: "ec", longs: "exec sh-exec lua-exec" },
    "fd fdfind": { letters: "xX", valued: "eEtdSogjc", longs: "exec exec-batch" },
    rg: { longs: "pre hostname-bin" },
    "ag ack bat delta": { longs: "pager" },
    fzf: { longs: "preview bind" },
    pandoc: { letters: "FL", valued: "ftorwsVHMDBAcT", longs: "filter lua-filter pdf-engine" },
    pylint: { longs: "init-hook" },
    m4: { letters: "D", valued: "IULdlotFBRWg", longs: "define" },
    "tex latex pdftex pdflatex xelatex lualatex luatex": {
      longs: "shell-escape enable-write18",
    },
    // languages of their own that reach a shell or other files
    sqlite: {
      longs: "cmd init",
      words: /(?:^|\n)\s*\.[a-z]|load_extension|writefile|readfile|\bedit\s*\(/iu,
    },
    "psql mysql mariadb": { words: DATABASE_SHELL, longs: "pager" },
    dc: { words: /!/u },
    jq: { letters: "L", valued: "f", words: /\b(?:import|include)\s*"/u },
  } satisfies Record<string, CodeOptions>).flatMap(([names, options]) =>
    names.split(" ").map((name): [string, CodeOptions] => [name, options]),
  ),
);

/** Programs that run what their arguments say, hide it from the eye, or give it more rights. */
export const WRAPPERS: ReadonlySet<string> = new Set(
  `env capsh chpst xargs sudo doas su pkexec runuser nohup setsid timeout time nice ionice chrt taskset setarch
  linux32 linux64 chroot unshare nsenter bwrap proot fakeroot firejail systemd-run script stdbuf
  unbuffer watch parallel entr exec eval command builtin source . busybox toybox strace ltrace gdb
  ssh flock at batch crontab screen tmux expect start-stop-daemon dbus-run-session ld.so
  vi vim nvim view ex ed emacs nano less more man vimdiff rvim rview gvim most lldb coreutils cmd
  setpriv prlimit valgrind perf hyperfine numactl cpulimit faketime proxychains torsocks dumb-init
  tini gosu su-exec runcon sg newgrp choom rlwrap sshpass caffeinate concurrently foreman socat ncat
  rsh mosh run-parts logrotate ansible busybox.static chronic flatpak coproc trap alias wine wsl
  xterm gnome-terminal konsole vagrant git-shell`.split(/\s+/u),
);
