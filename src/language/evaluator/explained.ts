/** Questions about a compile and their answers, as threads exchange them. */

import type { Json } from '../../lib/json.ts';

export type ExplainQuestion =
  | { readonly kind: 'lookup'; readonly key: string }
  | { readonly kind: 'parameter'; readonly className: string; readonly parameter: string }
  | { readonly kind: 'resource'; readonly type: string; readonly title: string };

export interface ExplainedPlace {
  /** As compiles name it. */
  readonly path: string;
  /** Below the directory of the environment; absent for files elsewhere. */
  readonly file: string | undefined;
  readonly line: number | undefined;
}

/** `undefined` when there is no value. */
export type ExplainedValue =
  | { readonly kind: 'shown'; readonly value: Json }
  /** Encrypted, sensitive, from an own function, or not text. */
  | { readonly kind: 'hidden' }
  | undefined;

export interface ExplainedLevel {
  readonly layer: 'global' | 'environment' | 'module';
  readonly config: ExplainedPlace | undefined;
  readonly entry: string;
  /** Absent for entries without files. */
  readonly place: ExplainedPlace | undefined;
  /** As `hiera.yaml` has it, with its variables; a URI as well. */
  readonly original: string | undefined;
  readonly result: 'found' | 'not-found' | 'no-file';
  readonly value: ExplainedValue;
  readonly uses: readonly string[];
}

export interface ExplainedLookup {
  readonly key: string;
  readonly value: ExplainedValue;
  readonly failure: string | undefined;
  readonly merge: string | undefined;
  readonly isMergeFromData: boolean;
  readonly remarks: readonly string[];
  readonly levels: readonly ExplainedLevel[];
}

export interface ExplainedClassParameter {
  readonly name: string;
  readonly source: 'code' | 'group' | 'data' | 'default' | 'none';
  readonly value: ExplainedValue;
  readonly place: ExplainedPlace | undefined;
  readonly type: string | undefined;
  readonly defaultText: string | undefined;
  readonly lookup: ExplainedLookup;
}

export interface ExplainedStep {
  readonly reference: string;
  readonly how: 'code' | 'group' | 'inherits' | 'main';
  readonly place: ExplainedPlace | undefined;
  readonly definition: ExplainedPlace | undefined;
}

export type Explained =
  | { readonly kind: 'lookup'; readonly lookup: ExplainedLookup }
  /** `parameter` is absent where the catalog has no such class, or the class no such parameter. */
  | {
      readonly kind: 'parameter';
      readonly parameter: ExplainedClassParameter | undefined;
      readonly lookup: ExplainedLookup;
    }
  /** `steps` go outwards from the resource; `undefined` where the catalog does not have it. */
  | {
      readonly kind: 'resource';
      readonly steps: readonly ExplainedStep[] | undefined;
      readonly parameters: readonly ExplainedClassParameter[];
    };
