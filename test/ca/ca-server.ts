/** A certificate authority behind real TLS on loopback, for tests. */

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { type RequestOptions, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHttpServer, defaultRules } from '../../src/platform/http/index.ts';
import { silentLogger } from '../../src/platform/log/index.ts';
import { CertificateAuthority } from '../../src/services/ca/authority.ts';
import { type CaSettings, defaultCaSettings } from '../../src/services/ca/ca-settings.ts';
import { caRoutes } from '../../src/services/ca/routes.ts';
import {
  ensureServerCertificate,
  type ServerCertificateFiles,
} from '../../src/services/ca/server-certificate.ts';

export interface CaServer {
  readonly ca: CertificateAuthority;
  readonly port: number;
  /** A directory of its own, removed at the end. */
  readonly base: string;
  /** Of the server itself, which may administer the authority. */
  readonly files: ServerCertificateFiles;
  close(): Promise<void>;
}

export interface Reply {
  readonly status: number;
  readonly contentType: string | undefined;
  readonly body: string;
}

const key = { kind: 'ec', curve: 'P-256' } as const;

export async function startCaServer(changes: Partial<CaSettings> = {}): Promise<CaServer> {
  const base = await mkdtemp(join(tmpdir(), 'bunraku-ca-server-'));
  const settings = { ...defaultCaSettings, key, caName: 'Puppet CA: localhost', ...changes };
  const clock = { log: silentLogger, now: () => new Date() };
  const ca = await CertificateAuthority.open({ caDir: join(base, 'ca'), ...settings }, clock);
  const sslDir = join(base, 'ssl');
  const files = await ensureServerCertificate(
    ca,
    { sslDir, certname: 'localhost', altNames: 'puppet', key },
    new Date(),
  );
  const certificate = await readFile(files.certificate, 'utf8');
  const privateKey = await readFile(files.privateKey, 'utf8');
  const material = () => ({ certificate, privateKey, ca: ca.bundle, crl: ca.crl.pem });
  const server = createHttpServer({
    routes: caRoutes(ca),
    authorization: { rules: defaultRules, allowHeaderCertInfo: false },
    tls: material(),
    log: silentLogger,
  });
  ca.onCrlChange(() => server.reloadTls(material()));
  const port = await server.listen(0, '127.0.0.1');
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

/** Sends one request on a connection of its own. @param path - below `/puppet-ca/v1/` */
export function send(server: CaServer, method: string, path: string, sent: Sent = {}): Promise<Reply> {
  const options: RequestOptions = {
    method,
    host: '127.0.0.1',
    port: server.port,
    servername: 'localhost',
    path: `/puppet-ca/v1/${path}`,
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
