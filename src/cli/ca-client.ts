/**
 * How an action reaches the authority: through a running server, or in its directory while none runs.
 *
 * Both speak the CA's HTTP API, so that an action says and does the same either way.
 */

import { hostname } from 'node:os';
import type { CaFlags, FlagKind } from './ca-arguments.ts';
import { openOfflineCa } from './ca-offline.ts';
import { openOnlineCa } from './ca-online.ts';

export interface CaReply {
  readonly status: number;
  readonly body: string;
}

export interface CaClient {
  /** @param path - below `/puppet-ca/v1/`, percent-encoded */
  request(method: 'GET' | 'PUT' | 'POST' | 'DELETE', path: string, body?: string): Promise<CaReply>;
  close(): Promise<void>;
}

export const defaultCaDir = '/etc/puppetlabs/puppetserver/ca';
export const defaultSslDir = '/etc/puppetlabs/puppet/ssl';

/** Flags of every action that uses an authority. */
export const accessFlags: Readonly<Record<string, FlagKind>> = {
  'ca-dir': 'text',
  'ssl-dir': 'text',
  server: 'text',
  'client-certname': 'text',
  'allow-subject-alt-names': 'switch',
  'allow-authorization-extensions': 'switch',
  'signing-command': 'text',
};

/** The words of `--signing-command`. */
export function signingCommandOf(flags: CaFlags): readonly string[] {
  return (flags.text('signing-command') ?? '').split(' ').filter((word) => word !== '');
}

export const accessUsage = `  --ca-dir DIR               The CA directory (default ${defaultCaDir})
  --server HOST[:PORT]       Ask this server instead of opening the directory
  --ssl-dir DIR              Keys and certificates of this machine (default ${defaultSslDir})
  --client-certname NAME     Whose certificate to show to the server (default: this machine's name)
  --allow-subject-alt-names  Sign requests for further names
  --allow-authorization-extensions
                             Sign requests for authorization extensions
  --signing-command COMMAND  What signs in place of ca_key.pem (with --ca-dir)
  --help                     Display this command-specific help output
`;

/**
 * @param isReadOnly - nothing will be changed: works on the directory of a running server, too
 * @throws ServiceError when the authority cannot be reached or opened
 */
export function openCa(flags: CaFlags, isReadOnly: boolean): Promise<CaClient> {
  const server = flags.text('server');
  if (server !== undefined) {
    const certname = flags.text('client-certname') ?? hostname().toLowerCase();
    return openOnlineCa(server, flags.text('ssl-dir') ?? defaultSslDir, certname);
  }
  return openOfflineCa({
    caDir: flags.text('ca-dir') ?? defaultCaDir,
    isReadOnly,
    allowSubjectAltNames: flags.has('allow-subject-alt-names'),
    allowAuthorizationExtensions: flags.has('allow-authorization-extensions'),
    signingCommand: signingCommandOf(flags),
  });
}

/** The path of one node's status, request or certificate. */
export function nodePath(kind: string, certname: string): string {
  return `${kind}/${encodeURIComponent(certname)}`;
}
