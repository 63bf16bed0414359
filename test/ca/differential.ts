/**
 * `node test/ca/differential.ts`: asks Debian's `puppetserver` and ours the same things of the CA, one after the other, on
 * copies of one directory, and prints where status, type or text differ. Ends with 1 when something differs that is not
 * meant (`services/ca/README.md`).
 */

import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isReady } from '../../demo/installation.ts';
import { freePort } from '../../demo/ports.ts';
import { Process } from '../../demo/process.ts';
import {
  createCertificateRequest,
  createKeyPair,
  encodeCertificateRequest,
  encodePrivateKey,
  type RequestContent,
} from '../../src/platform/x509/index.ts';
import { hasPuppetserver, RealPuppetserver } from './real-puppetserver.ts';

type Who = 'admin' | 'agent' | 'anonymous';

interface Question {
  readonly method: string;
  /** Below `/puppet-ca/v1/`, or absolute. */
  readonly path: string;
  readonly who?: Who;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The agent's certificate has been revoked by now. */
  readonly isRevoked?: boolean;
}

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

interface Server {
  readonly port: number;
  readonly sslDir: string;
}

if (!hasPuppetserver) {
  console.error('SKIPPED: puppetserver is not installed');
  process.exit(process.env['CI'] === 'true' ? 1 : 0);
}

const project = join(import.meta.dirname, '..', '..');
const base = mkdtempSync(join(tmpdir(), 'bunraku-ca-differential-'));
const keys = await createKeyPair({ kind: 'rsa', bits: 2048 });
const real = new RealPuppetserver({ base: join(base), certname: 'localhost', port: await freePort() });

/** Meant, with the reason; by method and path. */
const meant: readonly (readonly [RegExp, string])[] = [
  [
    /PUT certificate_request\/(weak|garbage|empty)/,
    'what cannot be read or is weak is 400 with the reason, not 500',
  ],
  [/PUT certificate_request\/(email|wild)/, 'what no node may ask for is 400 with the reason'],
  [/GET certificate\/ca .*if-modified/, 'the bundle is sent when it is new, as newer servers do'],
  [/GET certificate\/\.\./, 'another 4xx for a path that leads nowhere'],
  [/GET certificate_status\/nosuch/, 'a complete content type'],
  [/PUT certificate_status\/agent.test by admin ""/, 'an empty body is called empty'],
  [
    /PUT certificate_status\/auth.test/,
    'a number in a string is what `puppetserver ca sign --ttl 7200` sends',
  ],
  [/GET certificate_status\/auth.test/, 'which signed it'],
  [/by agent, revoked/, 'a revoked certificate is refused in HTTP, not by a TLS alert'],
  [
    /(POST sign|PUT clean|GET nonsense|GET \/puppet-ca\/v)/,
    "Debian's auth.conf has no rule for newer paths; ours says that there is none",
  ],
  [/GET \/production\//, 'paths of Puppet 3 agents, which Debian does not configure'],
  [/DELETE certificate_status\/agent.test by admin$/, 'no half of a content type'],
  [/POST certificate_status/, 'a method that does not exist is not there rather than forbidden'],
];

try {
  await real.ca('setup', '--subject-alt-names', 'localhost');
  for (const name of ['ca', 'ssl']) cpSync(join(base, name), join(base, 'ours', name), { recursive: true });
  const ours = await startOurs();
  await real.start();
  try {
    process.exitCode = (await compare(ours.server)) ? 0 : 1;
  } finally {
    await ours.stop();
  }
} finally {
  await real.stop();
  rmSync(base, { recursive: true, force: true });
}

async function startOurs(): Promise<{ server: Server; stop(): Promise<unknown> }> {
  const port = await freePort();
  const directory = join(base, 'ours');
  const sslDir = join(directory, 'ssl');
  const names = ['--certname', 'localhost', '--listen', '127.0.0.1', '--serverport', String(port)];
  const places = [
    '--data',
    directory,
    '--cadir',
    join(directory, 'ca'),
    '--ssldir',
    sslDir,
    '--autosign',
    'false',
  ];
  // The certificate of the node fits, and stays.
  const allowing = [
    '--dns-alt-names',
    'localhost',
    '--allow-subject-alt-names',
    '--allow-authorization-extensions',
    '--drain-delay',
    '0s',
  ];
  const server = new Process({
    command: process.execPath,
    args: [join(project, 'src', 'main.ts'), 'primary', ...names, ...places, ...allowing],
    logFile: join(base, 'ours.log'),
  });
  await server.until('our primary is ready', () => isReady(`https://localhost:${port}`));
  return { server: { port, sslDir }, stop: () => server.stop() };
}

async function compare(ours: Server): Promise<boolean> {
  const theirs = { port: real.port, sslDir: real.sslDir };
  const agents = new Map<Server, string>();
  let equal = 0;
  let different = 0;
  for (const question of await questions()) {
    const [theirAnswer, ourAnswer] = [await ask(theirs, question, agents), await ask(ours, question, agents)];
    const name = nameOf(question);
    if (JSON.stringify(theirAnswer) === JSON.stringify(ourAnswer)) {
      equal += 1;
      continue;
    }
    const reason = meant.find(([pattern]) => pattern.test(name))?.[1];
    if (reason === undefined) different += 1;
    console.log(`${reason === undefined ? 'DIFFERENT' : `meant (${reason})`}: ${name}`);
    console.log(`  puppetserver: ${render(theirAnswer)}\n  bunraku:      ${render(ourAnswer)}`);
  }
  console.log(`${equal} answers are equal, ${different} differ`);
  return different === 0;
}

function nameOf({ body, headers, isRevoked, method, path, who = 'anonymous' }: Question): string {
  const conditions = Object.keys(headers ?? {}).filter((name) => name.startsWith('if-'));
  const said = body !== undefined && body.length < 80 ? ` ${JSON.stringify(body)}` : '';
  const state = isRevoked === true ? ', revoked' : '';
  return [`${method} ${path}`, `by ${who}${state}${said}`, ...conditions].join(' ');
}

async function csr(content: RequestContent): Promise<string> {
  return encodeCertificateRequest(await createCertificateRequest(content, keys));
}

async function questions(): Promise<readonly Question[]> {
  const text = { 'content-type': 'text/plain' };
  const json = { 'content-type': 'application/json' };
  const put = async (name: string, content: Partial<RequestContent> = {}): Promise<Question> => ({
    method: 'PUT',
    path: `certificate_request/${name}`,
    headers: text,
    body: await csr({ certname: name, ...content }),
  });
  const state = (name: string, body: unknown, who: Who = 'admin'): Question => ({
    method: 'PUT',
    path: `certificate_status/${name}`,
    who,
    headers: json,
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const get = (path: string, who: Who = 'anonymous', headers = {}): Question => ({
    method: 'GET',
    path,
    who,
    headers,
  });
  const remove = (path: string, who: Who): Question => ({ method: 'DELETE', path, who });
  const sign = { desired_state: 'signed' };
  return [
    get('certificate/ca'),
    get('certificate/nosuch.test'),
    get('certificate/ca', 'anonymous', { 'if-modified-since': new Date(Date.now() + 1000).toUTCString() }),
    get('certificate/..%2Fca_key'),
    get('certificate_revocation_list/ca'),
    get('certificate_revocation_list/ca', 'anonymous', {
      'if-modified-since': 'Fri, 01 Jan 2100 00:00:00 GMT',
    }),
    get('certificate_revocation_list/ca', 'anonymous', { 'if-modified-since': 'yesterday' }),
    get('certificate_request/nosuch.test'),
    await put('agent.test'),
    await put('agent.test'),
    get('certificate_request/agent.test'),
    get('certificate_request/agent.test', 'agent'),
    state('agent.test', sign, 'anonymous'),
    state('agent.test', { desired_state: 'mad' }),
    state('agent.test', {}),
    state('agent.test', ''),
    state('agent.test', 'no json'),
    state('agent.test', '[1]'),
    state('agent.test', { desired_state: 'revoked' }),
    state('agent.test', { desired_state: 'signed', cert_ttl: 'x' }),
    state('agent.test', sign),
    get('certificate/agent.test'),
    state('agent.test', sign),
    await put('agent.test'),
    state('nosuch.test', sign),
    state('nosuch.test', { desired_state: 'revoked' }),
    get('certificate_status/agent.test', 'admin'),
    get('certificate_status/agent.test', 'agent'),
    get('certificate_status/agent.test', 'admin', { accept: 'text/pson' }),
    get('certificate_status/agent.test', 'admin', { accept: 'text/html' }),
    get('certificate_status/agent.test', 'admin', { accept: '*/*' }),
    get('certificate_status/nosuch.test', 'admin'),
    get('certificate_statuses/any', 'admin'),
    get('certificate_statuses/any?state=signed', 'admin'),
    get('certificate_statuses/any?state=requested', 'admin'),
    get('certificate_statuses/any?state=nonsense', 'admin'),
    get('certificate_statuses/', 'admin'),
    get('certificate_statuses', 'admin'),
    get('certificate_statuses/any', 'agent'),
    {
      method: 'PUT',
      path: 'certificate_status/agent.test',
      who: 'admin',
      headers: text,
      body: JSON.stringify(sign),
    },
    { method: 'POST', path: 'certificate_status/agent.test', who: 'admin', headers: json, body: '{}' },
    await put('alt.test', { altNames: 'DNS:puppet, IP:10.0.0.1' }),
    await put('auth.test', { extensions: { pp_auth_role: 'x', pp_role: 'web' } }),
    state('alt.test', { desired_state: 'signed', cert_ttl: 3600 }),
    get('certificate_status/alt.test', 'admin'),
    state('auth.test', { desired_state: 'signed', cert_ttl: '7200' }),
    get('certificate_status/auth.test', 'admin'),
    await put('Upper.test', { certname: 'upper.test' }),
    await put('UPPER.test'),
    await put('other.test', { certname: 'another.test' }),
    await put('wild*.test'),
    await put('-dash.test'),
    await put('email.test', { altNames: 'email:x@y' }).catch(() => put('plain.test')),
    { method: 'PUT', path: 'certificate_request/garbage.test', headers: text, body: 'nonsense' },
    { method: 'PUT', path: 'certificate_request/empty.test', headers: text, body: '' },
    await put('gone.test'),
    remove('certificate_request/gone.test', 'anonymous'),
    remove('certificate_request/gone.test', 'admin'),
    remove('certificate_request/gone.test', 'admin'),
    state('agent.test', { desired_state: 'revoked' }),
    state('agent.test', { desired_state: 'revoked' }),
    get('certificate_status/agent.test', 'admin'),
    { ...remove('certificate_status/agent.test', 'agent'), isRevoked: true },
    remove('certificate_status/agent.test', 'admin'),
    remove('certificate_status/agent.test', 'admin'),
    get('certificate/agent.test'),
    await put('agent.test'),
    {
      method: 'POST',
      path: 'sign',
      who: 'admin',
      headers: json,
      body: '{"certnames":["agent.test","nosuch.test"]}',
    },
    { method: 'POST', path: 'sign', who: 'admin', headers: json, body: '{"certnames":"agent.test"}' },
    {
      method: 'POST',
      path: 'sign',
      who: 'agent',
      isRevoked: true,
      headers: json,
      body: '{"certnames":["agent.test"]}',
    },
    await put('bulk1.test'),
    await put('bulk2.test'),
    { method: 'POST', path: 'sign/all', who: 'admin', headers: json, body: '' },
    { method: 'POST', path: 'sign/all', who: 'admin', headers: json, body: '' },
    {
      method: 'PUT',
      path: 'clean',
      who: 'admin',
      headers: json,
      body: '{"certnames":["bulk1.test","nosuch.test"]}',
    },
    { method: 'PUT', path: 'clean', who: 'admin', headers: json, body: '{"certnames":["bulk2.test"]}' },
    { method: 'PUT', path: 'clean', who: 'admin', headers: json, body: '{"certs":["bulk2.test"]}' },
    { method: 'PUT', path: 'clean', who: 'admin', headers: json, body: '{"certnames":["a"],"async":true}' },
    { method: 'PUT', path: 'clean', who: 'admin', headers: json, body: 'x' },
    { method: 'PUT', path: 'clean', who: 'anonymous', headers: json, body: '{"certnames":["a"]}' },
    get('expirations', 'admin'),
    { ...get('expirations', 'agent'), isRevoked: true },
    get('expirations'),
    { method: 'PUT', path: 'certificate_revocation_list', who: 'admin', headers: text, body: 'x' },
    { method: 'PUT', path: 'certificate_revocation_list', who: 'anonymous', headers: text, body: 'x' },
    { method: 'POST', path: 'certificate_renewal', who: 'anonymous', headers: text, body: '' },
    { method: 'POST', path: 'certificate_renewal', who: 'agent', isRevoked: true, headers: text, body: '' },
    get('nonsense', 'admin'),
    get('/puppet-ca/v2/certificate/ca'),
    get('/puppet-ca/v1/'),
    get('/production/certificate/ca'),
    get('/production/certificate/nosuch.test'),
    get('/production/certificate_revocation_list/ca'),
    { method: 'HEAD', path: 'certificate/ca' },
    get('certificate/ca?environment=production'),
    get('certificate/ca', 'anonymous', { accept: 'application/json' }),
  ];
}

function credentials({ sslDir }: Server, who: Who, agents: Map<Server, string>, server: Server) {
  const read = (path: string) => readFileSync(join(sslDir, path), 'utf8');
  if (who === 'admin') return { cert: read('certs/localhost.pem'), key: read('private_keys/localhost.pem') };
  const cert = agents.get(server);
  return who === 'agent' && cert !== undefined ? { cert, key: encodePrivateKey(keys.privateKey) } : {};
}

function ask(server: Server, question: Question, agents: Map<Server, string>): Promise<Answer> {
  const { body, headers = {}, method, path, who = 'anonymous' } = question;
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        host: '127.0.0.1',
        servername: 'localhost',
        port: server.port,
        method,
        path: path.startsWith('/') ? path : `/puppet-ca/v1/${path}`,
        ca: readFileSync(join(server.sslDir, 'certs', 'ca.pem')),
        agent: false,
        headers: { ...headers, ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }) },
        ...credentials(server, who, agents, server),
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (piece: string) => (text += piece));
        response.on('end', () => {
          if (method === 'GET' && path === 'certificate/agent.test' && text.includes('BEGIN CERT'))
            agents.set(server, text);
          const type = (response.headers['content-type'] ?? '').toLowerCase().replaceAll(' ', '');
          resolve({ status: response.statusCode ?? 0, type, text: inOrder(normalised(text)) });
        });
      },
    );
    // A server that ends the connection says something, too.
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code?.startsWith('ERR_SSL') || error.code === 'ECONNRESET')
        resolve({ status: 0, type: '', text: 'connection ended' });
      else reject(error);
    });
    outgoing.end(body);
  });
}

/** What differs by nature: keys, times, and the names of random roots. */
function normalised(text: string): string {
  return text
    .replace(/-----BEGIN ([A-Z0-9 ]+)-----[^-]+-----END [A-Z0-9 ]+-----\n?/g, '<$1>')
    .replace(/([0-9A-F]{2}:){19,63}[0-9A-F]{2}/g, 'FINGERPRINT')
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dUTC/g, 'TIME')
    .replace(/localhost:\d+/g, 'localhost:PORT')
    .replace(/"serial_number":\d+/g, '"serial_number":0')
    .replace(/"Puppet Root CA: [0-9a-f]+"/g, '"Puppet Root CA"');
}

/** Lists of certificates: theirs comes as the directory does, ours has certificates of ports in it. */
function inOrder(text: string): string {
  if (!text.startsWith('[{"name"')) return text;
  const entries = (JSON.parse(text) as { name: string }[]).filter(({ name }) => !name.startsWith('_'));
  return JSON.stringify(entries.sort((a, b) => (a.name < b.name ? -1 : 1)));
}

function render({ status, text, type }: Answer): string {
  return `${status} ${type} ${JSON.stringify(text.length > 400 ? `${text.slice(0, 400)}...` : text)}`;
}
