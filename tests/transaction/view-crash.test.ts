import { describe, expect, test } from "bun:test";
import { chownSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { childProgram } from "../support/child-program.ts";
import { runs } from "../support/long.ts";
import { hasOverlay } from "../support/overlay.ts";
import { areGone } from "../support/processes.ts";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";
import { FILES, lookClosely } from "./view-scene.ts";

const CHILD = await childProgram(new URL("./view-child.ts", import.meta.url));
const KILLS = runs(4, 8);
const OTHER = 12_345;
const isRoot = process.geteuid?.() === 0;
const AS_OTHER = ["setpriv", `--reuid=${OTHER}`, `--regid=${OTHER}`, "--clear-groups"];
/** Whether another user may read this checkout. */
const hasOther = isRoot && Bun.spawnSync([...AS_OTHER, "test", "-r", CHILD]).success;

/** A home and a workspace, and processes that work with it. */
function createBase(prefix: readonly string[]) {
  const dir = tempDir();
  const site = join(dir.path, "site");
  mkdirSync(join(dir.path, "home/person"), { recursive: true });
  writeTree(site, FILES);
  mkdirSync(join(site, ".papa-yu/cache"), { recursive: true });
  if (prefix.length > 0) giveAway(dir.path);
  const env = { ...process.env, HOME: join(dir.path, "home/person"), TMPDIR: dir.path };
  return {
    site,
    viewsDir: join(dir.path, "home/views"),
    path: dir.path,
    start(script: string, rounds: string) {
      const argv = [...prefix, process.execPath, CHILD, dir.path, script, rounds];
      return Bun.spawn(argv, { env, stdout: "pipe", stderr: "inherit" });
    },
    [Symbol.dispose]: () => dir[Symbol.dispose](),
  };
}

function giveAway(path: string): void {
  chownSync(path, OTHER, OTHER);
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const inner = join(path, entry.name);
    if (entry.isDirectory()) giveAway(inner);
    else chownSync(inner, OTHER, OTHER);
  }
}

/** Six of them are longer than any path that the kernel takes. */
const CHAIN = "a-rather-long-name/".repeat(100);

/** Makes everything that is hard to remove. */
const HOSTILE = `mkdir -p closed/inner; echo x >closed/inner/f; chmod 0 closed/inner closed
mkdir chain; cd chain; for i in 1 2 3 4 5 6; do mkdir -p ${CHAIN}; cd ${CHAIN}; done
echo x >bottom; chmod 0 .; cd "$OLDPWD"/ 2>/dev/null; cd /proc/self/cwd; exit 0`;

const USERS: readonly (readonly [name: string, prefix: readonly string[]])[] = [
  ["this user", []],
  ...(hasOther ? [["another user", AS_OTHER] as const] : []),
];

describe.if(hasOverlay).each(USERS)("views of %s", (_, prefix) => {
  test.concurrent("are gone whatever a command made of them", async () => {
    using base = createBase(prefix);
    const outside = join(base.path, "outside");
    writeFileSync(outside, "kept");
    const script = `ln -s ${outside} out; ln -s ${base.path}/site link; rm -r d; mkdir d; chmod 500 d
      i=0; while [ $i -lt 300 ]; do echo $i >f$i; i=$((i+1)); done; chmod 0 f*; touch "$(printf 'no\\377text')"; ${HOSTILE}`;
    const before = lookClosely(base.site);
    const child = base.start(script, "2");
    expect(await child.stdout.text()).toBe("open\ncheck\nchecked\nopen\ncheck\nchecked\nleft: \n");
    expect(lookClosely(base.site)).toEqual(before);
    expect(await Bun.file(outside).text()).toBe("kept");
  });

  test.concurrent("that were killed at any moment are removed by the next, with what ran in them", async () => {
    using base = createBase(prefix);
    const before = lookClosely(base.site);
    for (let kill = 0; kill < KILLS; kill++) {
      const child = base.start("echo x >y; chmod 0 d; sleep 0.05", "for-ever");
      const reader = child.stdout.getReader();
      for (let seen = 0; seen < kill % 3; ) {
        const { value } = await reader.read();
        seen +=
          Buffer.from(value ?? [])
            .toString()
            .split("\n").length - 1;
      }
      await Bun.sleep((kill * 72) / KILLS);
      child.kill("SIGKILL");
      await child.exited;
    }
    const last = base.start("true", "1");
    expect(await last.stdout.text()).toBe("open\ncheck\nchecked\nleft: \n");
    expect(await areGone(base.path)).toBe(true);
    expect(lookClosely(base.site)).toEqual(before);
  });

  test.concurrent("of a process that runs are left alone, and so is what nobody named", async () => {
    using base = createBase(prefix);
    const running = base.start("sleep 600", "1");
    const reader = running.stdout.getReader();
    for (let text = ""; !text.includes("check"); ) {
      text += Buffer.from((await reader.read()).value ?? []).toString();
    }
    const [name = ""] = readdirSync(base.viewsDir);
    mkdirSync(join(base.viewsDir, "not-a-view"));
    const other = base.start("true", "1");
    const left = /^left: (.*)$/m.exec(await other.stdout.text())?.[1]?.split(" ");
    expect(left?.toSorted()).toEqual([name, "not-a-view"].toSorted());
    expect(existsSync(join(base.viewsDir, name, "upper"))).toBe(true);
    running.kill("SIGKILL");
    await running.exited;
  });
});
