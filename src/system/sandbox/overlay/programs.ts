/** The programs of the system that make an overlay. */
export const OVERLAY_PROGRAMS = ["unshare", "mount"] as const;

/** Where one of them is; folders of administrators are often not on PATH. */
export function findOverlayProgram(
  name: (typeof OVERLAY_PROGRAMS)[number],
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const path = `${env["PATH"] ?? ""}:/usr/bin:/bin:/usr/sbin:/sbin`;
  return Bun.which(name, { PATH: path }) ?? undefined;
}
