/** Paths as a message names them. */
export function quote(paths: readonly string[]): string {
  return paths.map((path) => `"${path}"`).join(", ");
}
