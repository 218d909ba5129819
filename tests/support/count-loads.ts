/** Loaded before a program: writes down every module that it loads, with its bytes. */
import { appendFileSync, readFileSync } from "node:fs";

const log = process.env["LOADS_LOG"] ?? "";

Bun.plugin({
  name: "count-loads",
  setup(build) {
    build.onLoad({ filter: /\.(?:ts|js|mjs|cjs)$/u }, ({ path }) => {
      const contents = readFileSync(path, "utf8");
      appendFileSync(log, `${Buffer.byteLength(contents)} ${path}\n`);
      return { contents, loader: path.endsWith(".ts") ? "ts" : "js" };
    });
  },
});
