/** What a compiler knows of a native resource type: which attributes exist, and what its titles mean. */

/** One way to read attributes from a title. */
export interface TitlePattern {
  /** Ruby's dialect. */
  readonly source: string;
  /** Ruby's `m` flag: the dot matches newlines. */
  readonly multiline: boolean;
  /** The attribute that each capture group sets, in order. */
  readonly attributes: readonly string[];
}

/** A resource type that is not a defined type. */
export interface ResourceTypeInfo {
  /** Lower case. */
  readonly name: string;
  readonly properties: ReadonlySet<string>;
  readonly parameters: ReadonlySet<string>;
  /** The attributes that identify a resource on its node. */
  readonly namevars: readonly string[];
  readonly titlePatterns: readonly TitlePattern[];
  /** Whether two resources with equal key attributes are the same thing (not so for `exec`). */
  readonly isIsomorphic: boolean;
}

/** The attribute that the title stands for: the single key attribute, else `name`. */
export function namevarOf(type: ResourceTypeInfo | undefined): string {
  const [first, second] = type?.namevars ?? [];
  return first !== undefined && second === undefined ? first : 'name';
}
