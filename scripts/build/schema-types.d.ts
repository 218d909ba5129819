/**
 * What the types of the library say with TypeBox, without it: `scripts/build/library.ts` lays this
 * beside them, so that who imports them installs nothing.
 */
export type Static<S> = S extends { readonly "~static": infer T } ? T : never;

type OptionalKeys<P> = {
  [K in keyof P]: P[K] extends { readonly "~optional": true } ? K : never;
}[keyof P];
type ObjectOf<P> = { [K in Exclude<keyof P, OptionalKeys<P>>]: Static<P[K]> } & {
  [K in OptionalKeys<P>]?: Static<P[K]>;
};

export declare namespace Type {
  interface TUnsafe<T> {
    readonly "~static": T;
  }
  interface TString extends TUnsafe<string> {}
  interface TInteger extends TUnsafe<number> {}
  interface TBoolean extends TUnsafe<boolean> {}
  interface TLiteral<T> extends TUnsafe<T> {}
  interface TArray<S> extends TUnsafe<Static<S>[]> {}
  interface TObject<P> extends TUnsafe<ObjectOf<P>> {}
  interface TOptional<S> extends TUnsafe<Static<S>> {
    readonly "~optional": true;
  }
}
