/** The primary: certificate authority, file sync storage, database, and all that agents need. */

import { join } from 'node:path';
import { writeFileAtomically } from '../lib/atomic-file.ts';
import type { HttpServer } from '../platform/http/index.ts';
import type { RootLogger } from '../platform/log/index.ts';
import type { Settings } from '../platform/settings/index.ts';
import {
  CertificateAuthority,
  caRoutes,
  defaultCaSettings,
  ensureServerCertificate,
  serverCertificateFiles,
} from '../services/ca/index.ts';
import { decodeFactsText, FactStore, factMigrations } from '../services/facts/index.ts';
import { FileSyncStorage, fileSyncRoutes, localSource } from '../services/filesync/index.ts';
import { type MessageSink, outboxRoutes } from '../services/outbox/index.ts';
import { decodeReport, ReportStore, reportMigrations } from '../services/reports/index.ts';
import { createAgentPort, loadAuthorization, readTlsMaterial, type TlsFiles } from './agent-port.ts';
import { createAgentServices, createFileSyncClient } from './agent-services.ts';
import { type Foundation, layFoundation } from './foundation.ts';
import type { RunningServer } from './running-server.ts';

export async function startPrimary(settings: Settings, log: RootLogger): Promise<RunningServer> {
  const ca = await openAuthority(settings, log);
  // Keys and the database take their time independently of each other.
  const [files, foundation] = await Promise.all([
    ensureOwnCertificate(settings, ca),
    layFoundation(settings, log, [...factMigrations, ...reportMigrations], { hasReaderThread: true }),
  ]);
  const now = () => new Date();
  const facts = new FactStore(foundation.database, now);
  const reports = new ReportStore(foundation.database, now);
  const services = createAgentServices(foundation, { facts, reports });
  const storage = await openStorage(foundation);
  const client = createFileSyncClient(foundation, services.code, localSource(storage));
  let isSynchronised = false;
  const { http } = await createAgentPort(
    foundation,
    files,
    [
      ...services.routes,
      ...caRoutes(ca),
      ...fileSyncRoutes(storage, foundation.git, Date.now),
      ...outboxRoutes(deliveries(facts, reports)),
    ],
    () => (isSynchronised ? undefined : 'code'),
  );
  ca.onCrlChange((crl) => void applyCrl(crl.pem, files, http, log));
  const port = await http.listen(settings.serverPort, settings.listen === '' ? undefined : settings.listen);
  log.info({ port, certname: settings.certname }, 'primary is listening');
  await client.synchronise();
  isSynchronised = true;
  client.start();
  log.info({ port, environments: services.code.versions.environments() }, 'primary is ready');

  return {
    port,
    async reload() {
      http.setAuthorization(loadAuthorization(settings));
      http.reloadTls({ ...(await readTlsMaterial(files)), crl: ca.crl.pem });
    },
    async stop() {
      await client.stop();
      await http.drain(settings.drainTimeoutSeconds * 1000);
      await services.pool.close();
      await ca.close();
      await foundation.database.close();
    },
  };
}

function openAuthority(settings: Settings, log: RootLogger): Promise<CertificateAuthority> {
  return CertificateAuthority.open(
    {
      ...defaultCaSettings,
      caDir: settings.caDir,
      caName: settings.caName,
      key: { kind: 'rsa', bits: settings.keyLength },
      certificateTtlSeconds: settings.caTtlSeconds,
      autosign: settings.autosign,
      allowSubjectAltNames: settings.allowSubjectAltNames,
      allowAuthorizationExtensions: settings.allowAuthorizationExtensions,
      allowDuplicateCerts: settings.allowDuplicateCerts,
    },
    { log: log.child({ service: 'ca' }), now: () => new Date() },
  );
}

async function ensureOwnCertificate(settings: Settings, ca: CertificateAuthority): Promise<TlsFiles> {
  await ensureServerCertificate(ca, {
    sslDir: settings.sslDir,
    certname: settings.certname,
    altNames: settings.dnsAltNames.join(','),
    key: { kind: 'rsa', bits: settings.keyLength },
  });
  const files = serverCertificateFiles(settings.sslDir, settings.certname);
  return { ...files, ca: files.caCertificates, crl: files.revocationLists };
}

/** Open connections of revoked clients end at once; the file is for those who read the ssldir. */
async function applyCrl(pem: string, files: TlsFiles, http: HttpServer, log: RootLogger): Promise<void> {
  try {
    http.reloadTls({ ...(await readTlsMaterial(files)), crl: pem });
    await writeFileAtomically(files.crl, pem);
  } catch (error) {
    log.error({ err: error }, 'could not apply the new CRL');
  }
}

function openStorage({ git, log, settings }: Foundation): Promise<FileSyncStorage> {
  return FileSyncStorage.open({
    git,
    directory: join(settings.stateDir, 'filesync', 'storage'),
    stagingDirectory: settings.codeStagingDir,
    log: log.child({ service: 'file-sync' }),
    now: Date.now,
  });
}

/** What compile servers deliver ends where the primary's own agents' facts and reports end. */
function deliveries(facts: FactStore, reports: ReportStore): MessageSink {
  return {
    async accept({ kind, certname, environment, payload }) {
      if (kind === 'facts') await facts.save(decodeFactsText(payload), environment);
      else await reports.save(decodeReport(JSON.parse(payload), certname), payload);
    },
  };
}
