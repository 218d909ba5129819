const isRoot = process.getuid?.() === 0;

/**
 * What runs a command that obeys the rights of its own files, for root as well. It stays the same
 * user, who may read this checkout wherever it is.
 */
export const WITHOUT_RIGHTS: readonly string[] = isRoot
  ? ["setpriv", "--bounding-set=-dac_override,-dac_read_search"]
  : [];
