import type { Scene, SceneFile } from "../support/console-server.ts";

/** A change set as reviewers meet it: code, prose, a new file, one that goes, a lock file, a picture. */
export const PLAIN: Scene = {
  id: "ap_plain",
  workspace: "site",
  goal: "Retry uploads that fail, and say in the README how often",
  summary: "Uploads are tried three times, with a pause that grows",
  files: [
    {
      path: "src/upload/upload.ts",
      before: sourceOf(false),
      after: sourceOf(true),
    },
    {
      path: "src/upload/pause.ts",
      before: null,
      after:
        "/** How long to wait before the next try, in milliseconds. */\nexport function pauseOf(tries: number): number {\n  return Math.min(8_000, 250 * 2 ** tries);\n}\n",
    },
    {
      path: "src/upload/old-retry.ts",
      before: "export const RETRIES = 1;\n",
      after: null,
    },
    {
      path: "README.md",
      before:
        "# Site\n\nUploads go to the bucket of the site. When one fails, it is tried once more and then given up.\n\n## Set up\n\nCopy `.env.example`.\n",
      after:
        "# Site\n\nUploads go to the bucket of the site. When one fails, it is tried three times, with a pause that grows, and then given up.\n\n## Set up\n\nCopy `.env.example`.\n",
    },
    {
      path: "bun.lock",
      before: "a@1\n",
      after: "a@2\nb@1\n",
      generated: true,
    },
    { path: "public/logo.png", before: "x".repeat(2400), after: "x".repeat(3100), binary: true },
  ],
  more: { notes: ["The pause is at most 8 seconds."] },
};

function sourceOf(isAfter: boolean): string {
  const lines = Array.from(
    { length: 90 },
    (_, at) => `  const part${at} = await readPart(file, ${at});`,
  );
  const body = isAfter
    ? [
        "  for (let round = 0; round < MOST_ROUNDS; round++) {",
        "    const response = await send(bucket, name, parts);",
        "    if (response.ok) return response;",
        "    await sleep(pauseOf(round));",
        "  }",
        "  throw new UploadError(name);",
      ]
    : [
        "  const response = await send(bucket, name, part);",
        "  if (!response.ok) return send(bucket, name, part);",
        "  return response;",
      ];
  const head = isAfter
    ? ['import { pauseOf } from "./pause.ts";', 'import { send } from "./send.ts";', ""]
    : ['import { RETRIES } from "./old-retry.ts";', 'import { send } from "./send.ts";', ""];
  const call = "export async function upload(bucket: Bucket, name: string, file: Blob) {";
  return [...head, call, ...lines, ...body, "}", ""].join("\n");
}

/** So many changed lines in so many files. */
export function large(files: number, linesOfAll: number): Scene {
  const perFile = Math.ceil(linesOfAll / files / 2);
  const made = Array.from({ length: files }, (_file, file): SceneFile => {
    const line = (at: number, word: string) =>
      `  const value${at} = compute${word}(input${at % 7}, "${file}", ${at * 31}); // step ${at}`;
    const lines = (word: string) =>
      Array.from({ length: perFile * 4 }, (_, at) => line(at, at % 4 === 1 ? word : "Same"));
    return {
      path: `packages/part${file % 8}/src/module-${file}.ts`,
      before: `${lines("Old").join("\n")}\n`,
      after: `${lines("New").join("\n")}\n`,
    };
  });
  return {
    id: "ap_large",
    workspace: "monorepo",
    goal: "Rename compute",
    summary: `Rename it in ${files} files`,
    files: made,
  };
}

/** What a stranger would write to run something, to hide something, or to break the page. */
export const EVIL: readonly string[] = [
  '<script>window.evil = "script"</script>',
  '<img src=x onerror="window.evil = 1">',
  '<svg onload="window.evil = 2"><a xlink:href="javascript:window.evil=3">x</a></svg>',
  "javascript:window.evil=4",
  "[x](javascript:window.evil=5)",
  "</textarea></title></style><script>window.evil=6</script>",
  "{{constructor.constructor('window.evil=7')()}}",
  "__proto__",
  "user\u202etxt.exe\u202c and \u2066hidden\u2069 \u200b\u00a0\ufeff end",
  "\u001b]0;title\u0007\u001b[31mred\u0000",
  "\ud800 lone",
  "𝒳 🧑‍🚀 ก็็็็็็็็็็ Ǆ",
];

/** All of it in every place where somebody else's text is shown. */
export function hostile(): Scene {
  const all = EVIL.join("\n");
  const long = `${EVIL.join(" ")} ${"w".repeat(1_000_000)}`;
  return {
    id: "ap_evil",
    workspace: EVIL.join(" "),
    goal: all,
    summary: all,
    files: [
      ...EVIL.map((text, at) => ({
        path: `${text.replaceAll("/", "∕")}/${at}`,
        before: `${text}\n${all}\n`,
        after: `${all}\n${text}\n`,
      })),
      { path: `${"d".repeat(200)}/${"f".repeat(255)}`, before: "a\n", after: "b\n" },
      { path: "long.txt", before: "a\n", after: `${long}\n` },
      { path: "crlf.txt", before: "a\r\nb\r\n", after: "a\nb\r\n" },
    ],
    more: {
      notes: EVIL,
      side_effects: EVIL.map((path) => ({ path })),
      checks: EVIL.map((command) => ({ name: command, command })),
      check: {
        ok: false,
        stages: EVIL.map((command) => ({
          name: command,
          command: [command],
          exit_code: 1,
          output: all,
        })),
      },
      actions: EVIL.map((label) => ({ act: label, ref: label, label })),
      outcome: { ok: false, status: all, tx_id: all, text: all, actions: [] },
    },
  };
}
