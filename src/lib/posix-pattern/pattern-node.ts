/** A parsed pattern. */

/** Both ends included; code points. */
export type CodeRange = readonly [number, number];

export interface CharacterSet {
  readonly ranges: readonly CodeRange[];
  readonly isNegated: boolean;
}

/** What must hold between two characters, without consuming one. */
export type Assertion =
  | 'start'
  | 'end'
  | 'line-start'
  | 'line-end'
  | 'word-start'
  | 'word-end'
  | 'word-edge'
  | 'no-word-edge';

export type PatternNode =
  | { readonly kind: 'set'; readonly set: CharacterSet }
  | { readonly kind: 'assertion'; readonly assertion: Assertion }
  | { readonly kind: 'sequence'; readonly nodes: readonly PatternNode[] }
  | { readonly kind: 'choice'; readonly branches: readonly PatternNode[] }
  | {
      readonly kind: 'repeat';
      readonly node: PatternNode;
      readonly min: number;
      /** Infinity without a limit. */
      readonly max: number;
    };

export interface ParsedPattern {
  readonly root: PatternNode;
  readonly ignoresCase: boolean;
}
