/** A PuppetDB of ours as the real terminus wants it: over HTTPS, with certificates of a CA. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHttpServer } from '../../../src/platform/http/index.ts';
import { silentLogger } from '../../../src/platform/log/index.ts';
import { puppetDbRoutes } from '../../../src/services/puppetdb/index.ts';
import type { CredentialFiles } from '../../../src/services/puppetdb-client/index.ts';
import { OpensslAuthority } from '../../support/openssl-authority.ts';
import { type RunningPuppetDb, startPuppetDb } from '../running-puppetdb.ts';

const anyone = { kind: 'anyone' } as const;

export interface SecurePuppetDb extends RunningPuppetDb {
  /** `https://localhost:PORT` */
  readonly secureUrl: string;
  /** `ssldir` of a Puppet with the certname `server`. */
  readonly sslDirectory: string;
  readonly files: Required<CredentialFiles>;
}

export const serverCertname = 'server.example.net';

export async function startSecurePuppetDb(): Promise<SecurePuppetDb> {
  const running = await startPuppetDb();
  const authority = new OpensslAuthority('Puppet CA: test');
  const sslDirectory = mkdtempSync(join(tmpdir(), 'bunraku-terminus-ssl-'));
  const files = writeFiles(sslDirectory, authority);
  const http = createHttpServer({
    routes: puppetDbRoutes({
      puppetDb: running.puppetDb,
      allow: anyone,
      allowAdmin: anyone,
      now: () => new Date(),
    }),
    authorization: { rules: [], allowHeaderCertInfo: false },
    log: silentLogger,
    tls: {
      ...authority.issue('localhost', ['subjectAltName=DNS:localhost']),
      ca: authority.certificate,
      crl: authority.crl(),
    },
  });
  const port = await http.listen(0, 'localhost');
  return {
    ...running,
    secureUrl: `https://localhost:${port}`,
    sslDirectory,
    files,
    stop: async () => {
      await http.drain(0);
      await running.stop();
      authority.remove();
      rmSync(sslDirectory, { recursive: true, force: true });
    },
  };
}

function writeFiles(directory: string, authority: OpensslAuthority): Required<CredentialFiles> {
  const { certificate, privateKey } = authority.issue(serverCertname);
  const files = {
    ca: join(directory, 'certs', 'ca.pem'),
    crl: join(directory, 'crl.pem'),
    certificate: join(directory, 'certs', `${serverCertname}.pem`),
    privateKey: join(directory, 'private_keys', `${serverCertname}.pem`),
  };
  for (const name of ['certs', 'private_keys']) mkdirSync(join(directory, name));
  writeFileSync(files.ca, authority.certificate);
  writeFileSync(files.crl, authority.crl());
  writeFileSync(files.certificate, certificate);
  writeFileSync(files.privateKey, privateKey);
  return files;
}
