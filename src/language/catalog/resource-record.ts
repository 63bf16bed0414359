/** An exported resource as a store of exported resources gives it back: plain data. */

import type { Float } from '../pcore/index.ts';

/** JSON data, as PuppetDB keeps parameters; numbers keep the form that they have in its answer. */
export type RecordJson =
  | null
  | boolean
  | number
  | bigint
  | Float
  | string
  | readonly RecordJson[]
  | { readonly [key: string]: RecordJson };

export interface ResourceRecord {
  /** The node that exports it. */
  readonly certname: string;
  /** As in catalogs: `Apache::Vhost`. */
  readonly type: string;
  readonly title: string;
  readonly parameters: { readonly [name: string]: RecordJson };
}
