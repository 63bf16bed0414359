/** One conversation with a directory. */

import { Client, ResultCodeError } from 'ldapts';
import { binaryAttributes, LdapEntry } from './entry.ts';
import type { LdapFilter } from './filter.ts';
import { LdapError } from './ldap-error.ts';
import { addressOf, type LdapServer } from './ldap-server.ts';
import { openSocket } from './open-socket.ts';

export interface LdapSearch {
  /** The entry itself, or all below it, too. */
  readonly scope: 'base' | 'sub';
  readonly filter?: LdapFilter;
  readonly attributes: readonly string[];
  /** No more entries than this; all of them, in pages, when absent. */
  readonly limit?: number;
}

/** All methods throw `LdapError`. */
export interface LdapConnection {
  /** Proves who asks. @throws LdapError `invalid-credentials` */
  bind(dn: string, password: string): Promise<void>;
  search(base: string, search: LdapSearch): Promise<readonly LdapEntry[]>;
}

const invalidCredentials = 49;
const pageSize = 500;

/** Connects, lets `use` talk, and closes the connection. @throws LdapError, and what `use` throws */
export async function withLdap<T>(
  server: LdapServer,
  use: (connection: LdapConnection) => Promise<T>,
): Promise<T> {
  const deadline = AbortSignal.timeout(server.timeoutMs);
  const socket = await openSocket(server, deadline);
  const abort = () => void socket.destroy(new Error('aborted'));
  deadline.addEventListener('abort', abort, { once: true });
  if (deadline.aborted) abort();
  const client = new Client({ url: 'ldap://directory', createConnection: () => socket });
  const attempt = async <A>(work: () => Promise<A>): Promise<A> => {
    try {
      // A library that has lost the socket would dial again; this one is all there is.
      if (socket.destroyed) throw new Error('the connection was closed');
      return await work();
    } catch (error) {
      throw failureOf(error, server, deadline.aborted);
    }
  };
  try {
    return await use({
      bind: (dn, password) => attempt(() => bind(client, dn, password)),
      search: (base, search) => attempt(() => find(client, base, search)),
    });
  } finally {
    deadline.removeEventListener('abort', abort);
    await client.unbind().catch(ignore);
    socket.destroy();
  }
}

/** Without a name or without a password a server lets everybody in without an identity: that proves nothing. */
async function bind(client: Client, dn: string, password: string): Promise<void> {
  if (dn === '' || password === '')
    throw new LdapError('invalid-credentials', 'a name and a password are needed');
  await client.bind(dn, password);
}

async function find(
  client: Client,
  base: string,
  { attributes, filter, limit, scope }: LdapSearch,
): Promise<readonly LdapEntry[]> {
  const { searchEntries } = await client.search(base, {
    scope,
    attributes: [...attributes],
    explicitBufferAttributes: [...binaryAttributes],
    ...(filter === undefined ? {} : { filter }),
    ...(limit === undefined ? { paged: { pageSize } } : { sizeLimit: limit }),
  });
  return searchEntries.map((entry) => new LdapEntry(entry));
}

function failureOf(error: unknown, server: LdapServer, isLate: boolean): LdapError {
  if (error instanceof LdapError) return error;
  const address = addressOf(server);
  if (isLate)
    return new LdapError('timeout', `${address} did not answer within ${server.timeoutMs / 1000} s`);
  const text = error instanceof Error ? error.message : String(error);
  if (!(error instanceof ResultCodeError))
    return new LdapError('unreachable', `the connection to ${address} broke: ${text}`, error);
  return new LdapError(
    error.code === invalidCredentials ? 'invalid-credentials' : 'refused',
    `${address} answered: ${text.trim()}`,
    error,
  );
}

function ignore(): void {
  // the answers are here already
}
