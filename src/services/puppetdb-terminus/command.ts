/** What PuppetDB is sent. */

/** A command as a terminus submits it: `/pdb/cmd/v1?command=...&version=...&certname=...&producer-timestamp=...`. */
export interface PuppetDbCommand {
  readonly command:
    | 'replace_facts'
    | 'replace_catalog'
    | 'store_report'
    | 'deactivate_node'
    | 'replace_catalog_inputs';
  readonly version: number;
  readonly certname: string;
  /** ISO 8601 in UTC with milliseconds; the payload's own says the same. */
  readonly producerTimestamp: string;
  /** JSON. */
  readonly payload: string;
  /** The payload in parts, as UTF-8; only of large facts. */
  readonly utf8?: readonly Uint8Array[];
}

/** Who sends it, and when. */
export interface Sender {
  /** The server's certname. */
  readonly producer: string;
  readonly now: Date;
}
