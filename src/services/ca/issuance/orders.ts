/** What operators ask of the authority, and what they are told. */

/** What a person who signs allows beyond the settings. */
export interface SignOptions {
  /** Validity from now; `ca_ttl` when absent. */
  readonly ttlSeconds?: number | undefined;
  readonly allowSubjectAltNames?: boolean;
  readonly allowAuthorizationExtensions?: boolean;
  /** Only what the person allows counts, not what the settings allow. */
  readonly ignoresSettings?: boolean;
  /** SHA-256 of the request that is meant, lower-case hexadecimal; any when absent. */
  readonly fingerprint?: string | undefined;
}

/** A certificate that the operator wants, not a node: policies don't apply. */
export interface CertificateOrder {
  readonly certname: string;
  readonly publicKeyInfo: Uint8Array;
  /** `puppet, IP:10.0.0.1`; the certname is always one of them. */
  readonly altNames?: string;
  /** By short name or OID. */
  readonly extensions?: Readonly<Record<string, string>>;
  /** Gives the right to use the administrative API (`pp_cli_auth`). */
  readonly isCaClient?: boolean;
  /** For a port, not a node: proves nothing to servers, and its own name is none that somebody could reach. */
  readonly isService?: boolean;
  readonly ttlSeconds?: number;
}

export interface BulkSigning {
  readonly signed: readonly string[];
  readonly noCsr: readonly string[];
  readonly signingErrors: readonly string[];
}
