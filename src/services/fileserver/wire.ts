/** Metadata as it crosses the network. The order of the keys is the reference's. */

import type { Links } from './examine.ts';

export interface MetadataWire {
  readonly path: string;
  /** `null` when one file was asked for, else the path below `path`. */
  readonly relative_path: string | null;
  readonly links: Links;
  readonly owner: number;
  readonly group: number;
  readonly mode: number;
  /** `value` repeats the type in braces; `null` for a link to something that cannot be read. */
  readonly checksum: { readonly type: string; readonly value: string | null };
  readonly type: 'file' | 'directory' | 'link' | 'fifo' | 'socket';
  readonly destination: string | null;
}
