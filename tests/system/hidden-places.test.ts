import { describe, expect, test } from "bun:test";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { homeFolders, listeningSockets } from "../../src/system/sandbox/hidden-places.ts";
import { tempDir } from "../support/temp.ts";

describe("homeFolders()", () => {
  test("finds the account's home beside that of HOME, and those of other people", () => {
    using dir = tempDir();
    for (const name of ["mine", "account", "друг", "service"]) mkdirSync(join(dir.path, name));
    const accounts = join(dir.path, "passwd");
    const line = (uid: number, name: string) => `x:x:${uid}:1::${join(dir.path, name)}:/bin/sh\n`;
    const own = process.getuid?.() ?? 0;
    writeFileSync(
      accounts,
      `${line(own, "account")}${line(4321, "друг")}${line(77, "service")}${line(65_534, "service")}broken\n`,
    );
    const found = homeFolders(join(dir.path, "mine"), accounts);
    const names = found.filter((path) => path.startsWith(dir.path)).map((path) => path.slice(-5));
    expect(names).toEqual(["/mine", "count", "/друг"]);
  });

  test("gives real paths, and takes no system folder for a home", () => {
    using dir = tempDir();
    mkdirSync(join(dir.path, "real"));
    symlinkSync("real", join(dir.path, "home"));
    const accounts = join(dir.path, "passwd");
    writeFileSync(
      accounts,
      "a:x:1000:1::/:/bin/sh\nb:x:1001:1::/usr:/bin/sh\nc:x:1002:1::gone:/x\n",
    );
    const found = homeFolders(join(dir.path, "home"), accounts);
    expect(found).toContain(join(dir.path, "real"));
    expect(found).not.toContain("/");
    expect(found).not.toContain("/usr");
  });
});

describe.if(process.platform === "linux")("listeningSockets()", () => {
  test("finds the doors of running programs, also with blanks in their names", async () => {
    using dir = tempDir();
    const path = join(dir.path, "a door");
    const server = createServer().listen(path);
    await new Promise((resolve) => server.once("listening", resolve));
    expect(listeningSockets()).toContain(path);
    server.close();
  });

  test("finds one whose name is not in Latin letters", async () => {
    using dir = tempDir();
    const path = join(dir.path, "дверь");
    const server = createServer().listen(path);
    await new Promise((resolve) => server.once("listening", resolve));
    expect(listeningSockets()).toContain(path);
    server.close();
  });

  /** A program that binds a door as the code says, and then goes on from `/`. */
  async function openDoor(folder: string, code: string): Promise<Disposable> {
    const script = `import os, socket, time\ns = socket.socket(socket.AF_UNIX)\n${code}\ns.listen()\nprint("open", flush=True)\ntime.sleep(600)`;
    const child = Bun.spawn(["python3", "-c", script], { cwd: folder, stdout: "pipe" });
    await child.stdout.getReader().read();
    return { [Symbol.dispose]: () => child.kill("SIGKILL") };
  }

  test("finds one that was bound aside and put in its place", async () => {
    using dir = tempDir();
    const [aside, path] = [join(dir.path, "aside"), join(dir.path, "door")];
    using _door = await openDoor(dir.path, `s.bind("${aside}"); os.rename("${aside}", "${path}")`);
    expect(listeningSockets()).toContain(path);
  });

  test("finds one that was bound in the folder where its program is", async () => {
    using dir = tempDir();
    using _door = await openDoor(dir.path, 's.bind("door")');
    expect(listeningSockets()).toContain(join(dir.path, "door"));
  });

  test("finds one in the workspace that was bound there by a program that went on", async () => {
    using dir = tempDir();
    using _door = await openDoor(dir.path, 's.bind("./door"); os.chdir("/")');
    expect(listeningSockets([dir.path])).toContain(join(dir.path, "door"));
  });

  test("finds one in the workspace whose name is too long for the kernel", async () => {
    using dir = tempDir();
    const folder = join(dir.path, "l".repeat(110));
    mkdirSync(folder);
    const code = 'f = os.open(".", os.O_RDONLY); s.bind(f"/proc/self/fd/{f}/door"); os.close(f)';
    using _door = await openDoor(folder, `${code}; os.chdir("/")`);
    expect(listeningSockets([folder])).toContain(join(folder, "door"));
    const server = createServer().listen(join(folder, "own")); // as this runtime binds it
    await new Promise((resolve) => server.once("listening", resolve));
    expect(listeningSockets([folder])).toContain(join(folder, "own"));
    server.close();
  });
});
