/** As much of the browser's history as takes a code out of the address. */
export interface Address {
  readonly location: { readonly hash: string; readonly pathname: string };
  readonly history: { replaceState(state: null, unused: string, url: string): void };
}

/** Takes the code of a login out of the address, so that it is in no history and no screenshot. */
export function takeLoginCode({ location, history }: Address): string | undefined {
  const [, code] = /^#login=([\w-]{1,256})$/u.exec(location.hash) ?? [];
  if (location.hash.startsWith("#login=")) history.replaceState(null, "", location.pathname);
  return code;
}
