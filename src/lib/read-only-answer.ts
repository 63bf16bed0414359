/** Makes an answer immutable. */
export type ReadOnlyAnswer<T> = T extends readonly (infer Item)[]
  ? readonly ReadOnlyAnswer<Item>[]
  : T extends object
    ? { readonly [Name in keyof T]: ReadOnlyAnswer<T[Name]> }
    : T;
