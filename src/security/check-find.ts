/** Tests and actions of `find` that only look, by what follows them. */
const PLAIN: ReadonlySet<string> = new Set(
  `-print -print0 -ls -true -false -empty -depth -d -xdev -mount -daystart -prune -quit -not -a -and
  -o -or -readable -writable -executable -noleaf -nouser -nogroup ( ) ! ,`.split(/\s+/u),
);
const VALUED: ReadonlySet<string> = new Set(
  `-name -iname -path -ipath -wholename -iwholename -regex -iregex -regextype -type -xtype -size
  -mtime -mmin -ctime -cmin -atime -amin -maxdepth -mindepth -perm -user -group -uid -gid -links
  -inum -printf`.split(/\s+/u),
);
const PATHS: ReadonlySet<string> = new Set(["-newer", "-anewer", "-cnewer", "-samefile"]);
const ACTIONS = /^-(?:exec|execdir|ok|okdir|delete|fprint|fprint0|fprintf|fls|files0-from)$/u;
const FOLLOWING: ReadonlySet<string> = new Set(["-L", "-H", "-follow"]);

/** What a `find` looks into, or why it is not one that only looks. */
export type FindVerdict =
  | { readonly kind: "read"; readonly paths: readonly string[] }
  | { readonly kind: "deny"; readonly reason: string };

/** Reads the arguments of `find` word by word. */
export function checkFind(args: readonly string[]): FindVerdict {
  const acting = args.find((word) => ACTIONS.test(word));
  if (acting !== undefined) {
    const reason = `"${acting}" of find runs, writes or deletes; let find print the names and call the next command with them`;
    return { kind: "deny", reason };
  }
  const following = args.find((word) => FOLLOWING.has(word));
  if (following !== undefined) {
    return { kind: "deny", reason: `"${following}" follows links; leave it out` };
  }
  const from = args[0] === "-P" ? 1 : 0;
  const found = args.findIndex((word, index) => index >= from && /^(?:-.|[(!,]$)/u.test(word));
  const split = found === -1 ? args.length : found;
  const paths = split > from ? args.slice(from, split) : ["."];
  for (let index = split; index < args.length; index++) {
    const word = args[index] ?? "";
    if (PLAIN.has(word)) continue;
    const value = args[++index];
    if (PATHS.has(word) && value !== undefined) paths.push(value);
    else if (!VALUED.has(word) || value === undefined)
      return { kind: "deny", reason: unknown(word) };
  }
  return { kind: "read", paths };
}

function unknown(word: string): string {
  const known = [...VALUED, ...PATHS, ...PLAIN].join(" ");
  return `"${word}" of find is not allowed, or lacks its value; allowed are: ${known}`;
}
