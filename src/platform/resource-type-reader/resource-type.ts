/** What is known of a resource type that a module defines in Ruby. */

/** One way to read attributes from a title. */
export interface RubyTitlePattern {
  /** Ruby's dialect. */
  readonly source: string;
  readonly multiline: boolean;
  readonly ignoreCase?: boolean;
  readonly extended?: boolean;
  /** The attribute that each capture group sets, in order. */
  readonly attributes: readonly string[];
  /** What becomes of each capture; `undefined` for those that stay as they are. */
  readonly conversions?: readonly (TitleConversion | undefined)[];
}

/** @throws Unmodelled for a capture that takes the conversion where it is not modelled */
export type TitleConversion = (capture: string | null) => string | null;

export interface RubyResourceType {
  /** Lower case. */
  readonly name: string;
  readonly properties: ReadonlySet<string>;
  readonly parameters: ReadonlySet<string>;
  /** In the order of their definition. */
  readonly namevars: readonly string[];
  /** Empty where there are several namevars and no patterns: no title is valid then. */
  readonly titlePatterns: readonly RubyTitlePattern[];
  readonly isIsomorphic: boolean;
}

/** What reading a type's file gave. */
export type ReadResourceType =
  | { readonly kind: 'type'; readonly type: RubyResourceType }
  /** Ruby has to be asked: `reason` says what is not modelled, and where. */
  | { readonly kind: 'flagged'; readonly reason: string }
  /** The file defines no type of the name. */
  | { readonly kind: 'none' };
