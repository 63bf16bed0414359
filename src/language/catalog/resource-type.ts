/** What a compiler knows of a native resource type: which attributes exist, and what its titles mean. */

/** One way to read attributes from a title. */
export interface TitlePattern {
  /** Ruby's dialect. */
  readonly source: string;
  /** Ruby's `m` flag: the dot matches newlines. */
  readonly multiline: boolean;
  /** Ruby's `i` flag. */
  readonly ignoreCase?: boolean;
  /** Ruby's `x` flag: white space and comments mean nothing. */
  readonly extended?: boolean;
  /** The attribute that each capture group sets, in order; where groups have names, those alone capture. */
  readonly attributes: readonly string[];
  /** What becomes of each capture; `undefined` for those that stay as they are. */
  readonly conversions?: readonly (TitleConversion | undefined)[];
}

/**
 * Part of a title, `null` where the group did not take part in the match, becomes the value of an attribute, or none.
 */
export type TitleConversion = (capture: string | null) => string | null;

/** A resource type that is not a defined type. */
export interface ResourceTypeInfo {
  /** Lower case. */
  readonly name: string;
  readonly properties: ReadonlySet<string>;
  readonly parameters: ReadonlySet<string>;
  /** The attributes that identify a resource on its node. */
  readonly namevars: readonly string[];
  readonly titlePatterns: readonly TitlePattern[];
  /** Why the patterns are unknown: a use of them fails with this message. */
  readonly titlePatternsProblem?: string;
  /** Whether two resources with equal key attributes are the same thing (not so for `exec`). */
  readonly isIsomorphic: boolean;
  /** What its file adds to all types: metaparameters of a module. */
  readonly metaparameters?: readonly string[];
}

/** The attribute that the title stands for: the single key attribute, else `name`. */
export function namevarOf(type: ResourceTypeInfo | undefined): string {
  const [first, second] = type?.namevars ?? [];
  return first !== undefined && second === undefined ? first : 'name';
}
