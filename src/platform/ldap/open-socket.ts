/** Connects to a directory: TCP, and TLS where it is wanted. */

import { connect, isIP, type Socket } from 'node:net';
import { connect as tlsConnect } from 'node:tls';
import { Client } from 'ldapts';
import { identityCheck } from './identity-check.ts';
import { LdapError } from './ldap-error.ts';
import { addressOf, type LdapServer } from './ldap-server.ts';

const startTlsOid = '1.3.6.1.4.1.1466.20037';

/**
 * A socket that is ready for LDAP.
 *
 * @param signal - destroys the socket with its reason
 * @throws LdapError `unreachable`, `timeout`, `untrusted`, or `refused` when the server has no StartTLS
 */
export async function openSocket(server: LdapServer, signal: AbortSignal): Promise<Socket> {
  const deadline = AbortSignal.timeout(server.connectTimeoutMs);
  const ending = AbortSignal.any([signal, deadline]);
  const context = server.security === 'none' ? undefined : await server.trust.context();
  const opened: Socket[] = [];
  const abort = () => {
    for (const socket of opened) socket.destroy(new Error('aborted'));
  };
  ending.addEventListener('abort', abort, { once: true });
  try {
    const socket = connect({ host: server.host, port: server.port });
    opened.push(socket);
    await ready(socket, 'connect');
    socket.setNoDelay();
    if (context === undefined) return socket;
    if (server.security === 'start-tls') await askForTls(socket);
    const secure = tlsConnect({
      socket,
      host: server.host,
      secureContext: context,
      checkServerIdentity: identityCheck(server),
      ...(isIP(server.host) === 0 ? { servername: server.host } : {}),
    });
    opened.push(secure);
    await ready(secure, 'secureConnect');
    return secure;
  } catch (error) {
    abort();
    throw failureOf(error, server, ending.aborted);
  } finally {
    ending.removeEventListener('abort', abort);
  }
}

/** Whatever fails after this is told to who uses the socket then; until then it must not end the process. */
async function ready(socket: Socket, event: 'connect' | 'secureConnect'): Promise<void> {
  socket.on('error', ignore);
  const { promise, reject, resolve } = Promise.withResolvers<void>();
  const fail = (error: unknown) => reject(error as Error);
  const close = () => reject(new Error('the connection was closed'));
  socket.once(event, resolve).once('error', fail).once('close', close);
  try {
    await promise;
  } finally {
    socket.removeListener(event, resolve).removeListener('error', fail).removeListener('close', close);
  }
}

/** Nothing that the server sends before TLS begins is looked at afterwards. */
async function askForTls(socket: Socket): Promise<void> {
  const client = new Client({ url: 'ldap://directory', createConnection: () => socket });
  await client.exop(startTlsOid);
  for (const event of ['data', 'error', 'close', 'end', 'timeout']) socket.removeAllListeners(event);
  socket.on('error', ignore);
}

const untrusted =
  /^(?:CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_CERT_ALTNAME|HOSTNAME_MISMATCH|INVALID_|PATH_)/;

function failureOf(error: unknown, server: LdapServer, isLate: boolean): LdapError {
  if (error instanceof LdapError) return error;
  const address = addressOf(server);
  if (isLate)
    return new LdapError(
      'timeout',
      `${address} did not accept a connection within ${server.connectTimeoutMs / 1000} s`,
    );
  const text = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (untrusted.test(code))
    return new LdapError('untrusted', `the certificate of ${address} is not trusted: ${text}`, error);
  if (/^\d+$/.test(code)) return new LdapError('refused', `${address} refuses StartTLS: ${text}`, error);
  return new LdapError('unreachable', `cannot connect to ${address}: ${text || code}`, error);
}

function ignore(): void {
  // who waits for the socket learns of it by another listener
}
