/** As much of the browser's history as takes a code out of the address. */
export interface Address {
  readonly location: { readonly hash: string; readonly pathname: string };
  readonly history: { replaceState(state: null, unused: string, url: string): void };
}

/** What Telegram gave, out of the address: with it anybody could come in. Undefined: it gave nothing. */
export function takeInitData({ location, history }: Address): string | undefined {
  const { hash } = location;
  if (!/[#&]tgWebApp/u.test(hash)) return undefined;
  history.replaceState(null, "", location.pathname);
  return new URLSearchParams(hash.slice(1)).get("tgWebAppData") ?? undefined;
}

/** Takes the code of a login out of the address, so that it is in no history and no screenshot. */
export function takeLoginCode({ location, history }: Address): string | undefined {
  const [, code] = /^#login=([\w-]{1,256})$/u.exec(location.hash) ?? [];
  if (location.hash.startsWith("#login=")) history.replaceState(null, "", location.pathname);
  return code;
}
