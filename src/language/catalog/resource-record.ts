/** An exported resource as a store of exported resources gives it back: plain data. */

/** JSON data, as PuppetDB keeps parameters. */
export type RecordJson =
  | null
  | boolean
  | number
  | string
  | readonly RecordJson[]
  | { readonly [key: string]: RecordJson };

export interface ResourceRecord {
  /** The node that exports it. */
  readonly certname: string;
  /** As in catalogs: `Apache::Vhost`. */
  readonly type: string;
  readonly title: string;
  readonly exported: boolean;
  readonly tags: readonly string[];
  readonly parameters: { readonly [name: string]: RecordJson };
  readonly file?: string | null;
  readonly line?: number | null;
}
