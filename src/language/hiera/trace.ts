/** What the steps of a lookup tell to an explainer. */

import type { Value } from '../pcore/index.ts';
import type { KeySegment } from './lookup-key.ts';

/** A step that has steps of its own. */
export type TraceLabel =
  | { readonly kind: 'top'; readonly key: string }
  | { readonly kind: 'invalid-key'; readonly key: string }
  | {
      readonly kind: 'data-provider';
      readonly name: string;
      readonly configPath: string | undefined;
      /** Of an entry of the hierarchy: its name there. */
      readonly entry?: string;
    }
  | {
      readonly kind: 'location';
      readonly type: 'path' | 'uri';
      readonly original: string;
      readonly resolved: string;
    }
  | { readonly kind: 'merge'; readonly strategy: string; readonly options: Value | undefined }
  | { readonly kind: 'scope'; readonly name: string }
  | { readonly kind: 'interpolation'; readonly expression: string }
  | { readonly kind: 'module'; readonly text: string }
  | { readonly kind: 'sub-key'; readonly segments: readonly KeySegment[] }
  | { readonly kind: 'segment' };

export interface Trace {
  within<T>(label: TraceLabel, run: () => T): T;
  found(key: string, value: Value, where?: 'overrides' | 'defaults'): void;
  notFound(key: string): void;
  locationNotFound(): void;
  /** The outcome of a merge. */
  result(value: Value): void;
  /** The lookup uses the options of this hash. */
  mergeSource(name: string): void;
  text(text: string): void;
  /** Marks the found value as secret: encrypted, or from a custom backend function. */
  secret(): void;
}
