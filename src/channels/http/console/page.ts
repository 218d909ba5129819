import type { ConsoleFiles } from "../../../system/own/console-files.ts";

/** What a browser may do with the page: nothing of it comes from elsewhere, and nobody frames it. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; worker-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'; require-trusted-types-for 'script'; trusted-types papayu",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
};

/** The document, the same at every address of the page; `framedBy`: who may show it in a frame. */
export function servePage({ shell }: ConsoleFiles, framedBy = "'none'"): Response {
  const policy = PAGE_HEADERS["content-security-policy"] ?? "";
  const headers = {
    ...PAGE_HEADERS,
    "content-security-policy": policy.replace(
      "frame-ancestors 'none'",
      `frame-ancestors ${framedBy}`,
    ),
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
  };
  return new Response(shell, { headers });
}

/** A file whose name says what is in it; undefined: there is none of this name. */
export async function serveFile(
  files: ConsoleFiles,
  path: string,
  acceptEncoding: string | null,
): Promise<Response | undefined> {
  const found = files.file(path.slice("/assets/".length));
  if (!found) return undefined;
  const { type, encoding } = found;
  const bytes = Bun.file(found.path);
  const takesIt = encoding === undefined || /\bbr\b/u.test(acceptEncoding ?? "");
  const body = takesIt ? bytes : await unpack(await bytes.bytes());
  const headers = {
    ...PAGE_HEADERS,
    "content-type": type,
    "cache-control": "public, max-age=31536000, immutable",
    vary: "accept-encoding",
    ...(takesIt && encoding !== undefined && { "content-encoding": encoding }),
  };
  return new Response(body, { headers });
}

/** Browsers that take Brotli from TLS alone have the bytes as they are: they are on this machine. */
async function unpack(bytes: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  const { brotliDecompressSync } = await import("node:zlib");
  return new Uint8Array(brotliDecompressSync(bytes));
}
