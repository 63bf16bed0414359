/** A certificate authority behind real TLS on loopback, for tests. */

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { type RequestOptions, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createHttpServer,
  defaultRules,
  route,
  type TokenAuthenticator,
} from '../../src/platform/http/index.ts';
import { silentLogger } from '../../src/platform/log/index.ts';
import type { SslFiles } from '../../src/platform/x509/index.ts';
import { CertificateAuthority } from '../../src/services/ca/authority.ts';
import { type CaSettings, defaultCaSettings } from '../../src/services/ca/ca-settings.ts';
import { type CaRouteOptions, caRoutes } from '../../src/services/ca/http/routes.ts';
import { ensureServerCertificate } from '../../src/services/ca/issuance/server-certificate.ts';
import { checkedRoutes } from '../support/checked-routes.ts';

export interface CaServer {
  readonly ca: CertificateAuthority;
  readonly port: number;
  /** A directory of its own, removed at the end. */
  readonly base: string;
  /** Of the server itself, which may administer the authority. */
  readonly files: SslFiles;
  close(): Promise<void>;
}

export interface Reply {
  readonly status: number;
  readonly contentType: string | undefined;
  readonly body: string;
}

const key = { kind: 'ec', curve: 'P-256' } as const;

/** What `puppetserver ca` looks at before it works on the directory. */
const caStatus = route({
  method: 'GET',
  path: '/status/v1/simple/ca',
  allow: { kind: 'anyone' },
  handle: () => ({ status: 200, headers: { 'content-type': 'text/plain' }, body: 'running' }),
});

export interface CaServerOptions extends CaRouteOptions {
  /** Knows users by their tokens; no token counts when absent. */
  readonly authenticate?: TokenAuthenticator;
  /** Any free one when absent. */
  readonly port?: number;
  /** Where another CA directory and ssldir are already; a new pair when absent. */
  readonly taken?: { readonly caDir: string; readonly sslDir: string };
}

export async function startCaServer(
  changes: Partial<CaSettings> = {},
  options: CaServerOptions = {},
): Promise<CaServer> {
  const base = await mkdtemp(join(tmpdir(), 'bunraku-ca-server-'));
  const settings = { ...defaultCaSettings, key, caName: 'Puppet CA: localhost', ...changes };
  const clock = { log: silentLogger, now: () => new Date() };
  const { caDir, sslDir } = options.taken ?? { caDir: join(base, 'ca'), sslDir: join(base, 'ssl') };
  const ca = await CertificateAuthority.open({ caDir, ...settings }, clock);
  const files = await ensureServerCertificate(
    ca,
    { sslDir, certname: 'localhost', altNames: options.taken ? 'localhost' : 'puppet', key },
    new Date(),
  );
  const certificate = await readFile(files.certificate, 'utf8');
  const privateKey = await readFile(files.privateKey, 'utf8');
  const material = () => ({ certificate, privateKey, ca: ca.bundle, crl: ca.crl.pem });
  const server = createHttpServer({
    routes: [...checkedRoutes(caRoutes(ca, options)), caStatus],
    authorization: { rules: defaultRules, allowHeaderCertInfo: false },
    tls: material(),
    log: silentLogger,
    ...(options.authenticate === undefined ? {} : { authenticate: options.authenticate }),
  });
  ca.onCrlChange(() => server.reloadTls(material()));
  const port = await server.listen(options.port ?? 0, '127.0.0.1');
  const close = async () => {
    await server.drain(1000);
    await ca.close();
    await rm(base, { recursive: true });
  };
  return { ca, port, base, files, close };
}

export interface Sent {
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** PEM of a client's certificate and key; anonymous when absent. */
  readonly client?: { readonly cert: string; readonly key: string };
}

/** Sends one request on a connection of its own. @param path - below `/puppet-ca/v1/`, or absolute */
export function send(server: CaServer, method: string, path: string, sent: Sent = {}): Promise<Reply> {
  const options: RequestOptions = {
    method,
    host: '127.0.0.1',
    port: server.port,
    servername: 'localhost',
    path: path.startsWith('/') ? path : `/puppet-ca/v1/${path}`,
    ca: server.ca.bundle,
    agent: false,
    headers: { ...sent.headers },
    ...sent.client,
  };
  return new Promise((resolve, reject) => {
    const outgoing = request(options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const { statusCode: status = 0, headers } = response;
        resolve({ status, contentType: headers['content-type'], body: Buffer.concat(chunks).toString() });
      });
    });
    outgoing.on('error', reject);
    outgoing.end(sent.body);
  });
}
