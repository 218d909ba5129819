/** The page of the web console inside a program. */
export interface EmbeddedConsole {
  readonly shell: string;
  readonly files: Readonly<
    Record<string, { readonly path: string; readonly type: string; readonly encoding?: "br" }>
  >;
}

/** None in the sources; `scripts/build.ts` puts the page in the place of this file. */
export const EMBEDDED: EmbeddedConsole | undefined = undefined;
