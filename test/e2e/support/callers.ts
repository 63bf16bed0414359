/** Everybody who may knock at a port: with certificates of all kinds, with tokens, with claims. */

import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { join } from 'node:path';
import { HttpClient } from '../../../src/platform/http-client/index.ts';
import { OpensslAuthority, type TestCertificate } from '../../support/openssl-authority.ts';
import { type NodeCredentials, readCredentials } from './agent.ts';
import type { Site } from './site.ts';

export interface Caller {
  readonly name: string;
  /** The certname in paths that name one; that of another node when absent. */
  readonly asksFor?: string;
  readonly certificate?: TestCertificate;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Request {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}

/** `refused`: the connection ended without an answer; `waiting`: there was none in time. */
export interface Answer {
  readonly status: 'refused' | 'waiting' | number;
  /** Its beginning. */
  readonly text: string;
}

/** Of an answer that is kept. */
const keptCharacters = 500;

/** Sends one request, as any client may. */
export function call(
  port: number,
  caller: Caller,
  { method, path, headers, body }: Request,
  timeoutMs = 1500,
): Promise<Answer> {
  const length = body === undefined ? {} : { 'content-length': body.length };
  const options = { agent: agentOf(caller), headers: { ...length, ...headers, ...caller.headers } };
  return new Promise((resolve) => {
    const sent = request({ host: '127.0.0.1', port, method, path, ...options }, (answer) => {
      const status = answer.statusCode ?? 'refused';
      let text = '';
      answer.on('data', (piece: Buffer) => {
        if (text.length < keptCharacters) text += piece.toString('utf8');
      });
      answer.on('close', () => resolve({ status, text: text.slice(0, keptCharacters) }));
      // What goes on without end has been let in.
      answer.setTimeout(timeoutMs, () => answer.destroy());
    });
    sent.setTimeout(timeoutMs, () => {
      resolve({ status: 'waiting', text: '' });
      sent.destroy();
    });
    sent.on('error', ({ message }) => resolve({ status: 'refused', text: message }));
    sent.end(body);
  });
}

const agents = new WeakMap<Caller, Agent>();

function agentOf(caller: Caller): Agent {
  const { certificate } = caller;
  const credentials =
    certificate === undefined ? {} : { cert: certificate.certificate, key: certificate.privateKey };
  const known =
    agents.get(caller) ??
    new Agent({ keepAlive: true, maxSockets: 4, rejectUnauthorized: false, ...credentials });
  agents.set(caller, known);
  return known;
}

/** Lets the primary sign a request with extensions, as a person does who wants such a certificate. */
export async function signedBy(
  site: Site,
  certname: string,
  extensions: readonly string[] = [],
): Promise<TestCertificate> {
  const directory = join(site.directory, 'callers', certname);
  mkdirSync(directory, { recursive: true });
  const wanted = extensions.length === 0 ? [] : ['req_extensions=ext'];
  const lines = ['[req]', 'distinguished_name=dn', 'prompt=no', ...wanted, '[dn]', `CN=${certname}`, '[ext]'];
  writeFileSync(join(directory, 'req.cnf'), [...lines, ...extensions, ''].join('\n'));
  const openssl = (...args: readonly string[]) =>
    execFileSync('openssl', args, { cwd: directory, stdio: 'pipe' });
  openssl('genrsa', '-out', 'key.pem', '2048');
  openssl('req', '-new', '-config', 'req.cnf', '-key', 'key.pem', '-out', 'csr.pem');
  const operator = site.installation.operator();
  try {
    const url = (name: string) => `${site.installation.primaryUrl}/puppet-ca/v1/${name}/${certname}`;
    const headers = { 'content-type': 'text/plain' };
    const body = readFileSync(join(directory, 'csr.pem'));
    const put = await operator.send({ method: 'PUT', url: url('certificate_request'), headers, body });
    if (put.status !== 200) throw new Error(`${certname}: ${put.status} ${put.body.toString('utf8')}`);
    await sign(operator, url('certificate_status'));
    const got = await operator.send({ method: 'GET', url: url('certificate') });
    if (got.status !== 200) throw new Error(`${certname}: ${got.status} ${got.body.toString('utf8')}`);
    return {
      certificate: got.body.toString('utf8'),
      privateKey: readFileSync(join(directory, 'key.pem'), 'utf8'),
    };
  } finally {
    operator.close();
  }
}

/** Where it was not signed at once. */
async function sign(operator: HttpClient, url: string): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  await operator.send({ method: 'PUT', url, headers, body: '{"desired_state":"signed"}' });
}

export async function revoke(site: Site, certname: string): Promise<void> {
  const operator = site.installation.operator();
  try {
    const url = `${site.installation.primaryUrl}/puppet-ca/v1/certificate_status/${certname}`;
    const headers = { 'content-type': 'application/json' };
    const { status } = await operator.send({
      method: 'PUT',
      url,
      headers,
      body: '{"desired_state":"revoked"}',
    });
    if (status !== 204) throw new Error(`${certname} could not be revoked: ${status}`);
  } finally {
    operator.close();
  }
}

/**
 * A certificate that no request was signed for.
 *
 * @param authority - whose key is used; one that has nothing to do with the installation when absent
 * @param days - for how long it is valid; not any more when negative
 */
export function issuedBeside(
  certname: string,
  extensions: readonly string[],
  authority?: TestCertificate,
  days = 30,
): TestCertificate {
  const issuer = new OpensslAuthority('Puppet CA: primary.bunraku.test', undefined, authority);
  try {
    return issuer.issue(certname, extensions, days);
  } finally {
    issuer.remove();
  }
}

/** What a server keeps for itself. */
export function ownCertificate(sslDirectory: string, certname: string): TestCertificate {
  const { certificate, privateKey }: NodeCredentials = readCredentials(sslDirectory, certname);
  return { certificate, privateKey };
}

/** As a proxy that ends TLS would say it. */
export function claimsOf(certificate: TestCertificate): Readonly<Record<string, string>> {
  const { subject } = new X509Certificate(certificate.certificate);
  return {
    'x-client-verify': 'SUCCESS',
    'x-client-dn': subject,
    'x-client-cert': encodeURIComponent(certificate.certificate),
  };
}
