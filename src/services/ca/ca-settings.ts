/** What a certificate authority can be told; the names are those of `puppet.conf` and `ca.conf`. */

import type { KeySpec } from '../../platform/x509/index.ts';

export interface CaSettings {
  /** `cadir`: laid out as Puppet Server's. */
  readonly caDir: string;
  /** `ca_name`: the common name of a new signing certificate. */
  readonly caName: string;
  /** The keys of a new authority; `keylength` when RSA. */
  readonly key: KeySpec;
  /** How long a new root and a new signing certificate are valid. */
  readonly caCertificateTtlSeconds: number;
  /** `ca_ttl`: how long a newly signed certificate is valid. */
  readonly certificateTtlSeconds: number;
  /** True and false for all, or the path of `autosign.conf` or of an executable that decides. */
  readonly autosign: boolean | string;
  /** `allow-subject-alt-names`: sign requests that ask for names other than their own. */
  readonly allowSubjectAltNames: boolean;
  /** `allow-authorization-extensions`: sign requests that ask for extensions below 1.3.6.1.4.1.34380.1.3. */
  readonly allowAuthorizationExtensions: boolean;
  /** `compile_server_roles`: values of `pp_role` that give rights, so that asking for one is as asking for an authorization extension. */
  readonly serverRoles: readonly string[];
  /** `allow_duplicate_certs`: a new request replaces the certificate that there is. */
  readonly allowDuplicateCerts: boolean;
  /** `allow-auto-renewal`: answer `certificate_renewal`. */
  readonly allowAutoRenewal: boolean;
  /** `auto-renewal-cert-ttl`: how long the certificate of an agent that renews is valid. */
  readonly autoRenewalTtlSeconds: number;
  /** `enable-infra-crl`: agents get the list of revoked infrastructure nodes only. */
  readonly enableInfraCrl: boolean;
  /** What signs for a key that is not in the directory, with its arguments; empty when the key is there. */
  readonly signingCommand: readonly string[];
  /** A file of rules for requests, asked before `autosign`; empty for none. */
  readonly policyFile: string;
  /** `trusted_oid_mapping_file`: a site's own short names of extensions. */
  readonly oidMappingFile: string;
  /** Requests that may wait; more are refused, so that the disk cannot be filled. */
  readonly maxPendingRequests: number;
}

const secondsPerDay = 24 * 60 * 60;

/** Puppet's defaults; `ca_ttl` is five years, as everywhere else in Puppet years of 365 days. */
export const defaultCaSettings: Omit<CaSettings, 'caDir' | 'caName'> = {
  key: { kind: 'rsa', bits: 4096 },
  caCertificateTtlSeconds: 15 * 365 * secondsPerDay,
  certificateTtlSeconds: 5 * 365 * secondsPerDay,
  autosign: false,
  allowSubjectAltNames: false,
  allowAuthorizationExtensions: false,
  serverRoles: [],
  allowDuplicateCerts: false,
  allowAutoRenewal: false,
  autoRenewalTtlSeconds: 90 * secondsPerDay,
  enableInfraCrl: false,
  signingCommand: [],
  policyFile: '',
  oidMappingFile: '',
  maxPendingRequests: 10_000,
};
