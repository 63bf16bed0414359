/** A compile server: follows a primary, and keeps serving agents while that is away. */

import { readFile } from 'node:fs/promises';
import { HttpClient } from '../platform/http-client/index.ts';
import type { RootLogger } from '../platform/log/index.ts';
import type { Settings } from '../platform/settings/index.ts';
import { lockDirectory } from '../platform/storage/index.ts';
import { caProxyRoutes } from '../services/ca-proxy/index.ts';
import { RemoteClassifiedNodes } from '../services/classifier/index.ts';
import { clientStatus, forceSyncRoute, remoteSource } from '../services/filesync/index.ts';
import { membershipRoute } from '../services/infrastructure/index.ts';
import {
  obtainNodeCertificate,
  readOwnCertificate,
  renewNodeCertificate,
  type SslFiles,
} from '../services/node-certificate/index.ts';
import { rememberedNodeMigrations } from '../services/nodes/index.ts';
import { Outbox, OutboxStore, outboxMigrations, primaryDestination } from '../services/outbox/index.ts';
import { createAgentServices, createFileSyncClient } from './agents/agent-services.ts';
import { mirroredPackages } from './agents/packages.ts';
import { showOwnEnds } from './ca/authority.ts';
import { CrlFollower } from './ca/crl-follower.ts';
import { type Foundation, layFoundation } from './foundation.ts';
import { Membership } from './infrastructure/membership.ts';
import { ownReport } from './infrastructure/own-report.ts';
import { watchPrimary } from './infrastructure/primary-watch.ts';
import { externalDestination, forgetContents, nodeData, throughOutbox } from './node-data/node-data.ts';
import { externalPuppetDb, primaryPuppetDb } from './node-data/used-puppetdb.ts';
import { rememberNodes, rememberTrustedExternal } from './nodes/remembered-nodes.ts';
import { type Periodic, periodically } from './periodic.ts';
import { createAgentPort, loadAuthorization, readTlsMaterial } from './ports/agent-port.ts';
import type { RunningServer } from './running-server.ts';

const outboxRetryMs = 2000;
const forgetIntervalMs = 24 * 60 * 60 * 1000;
/** How long a server that leaves may take to deliver what it has. */
const flushTimeoutMs = 60_000;
const renewalIntervalMs = 60 * 60 * 1000;
/** How long a primary that does not answer may keep a server with code of its own from serving. */
const catchUpPatienceMs = 10_000;

export async function startCompileServer(
  settings: Settings,
  log: RootLogger,
  signal: AbortSignal,
): Promise<RunningServer> {
  const lock = lockDirectory(settings.stateDir);
  const primaryUrl = primaryUrlOf(settings.primary);
  const files = await obtainOwnCertificate(settings, log, primaryUrl, signal);
  const foundation = await layFoundation(settings, log, [...outboxMigrations, ...rememberedNodeMigrations], {
    hasReaderThread: false,
  });
  const primary = new HttpClient(await credentials(files));
  const isPrimaryAway = watchPrimary({ client: primary, primaryUrl });
  const puppetDbLog = log.child({ service: 'puppetdb-client' });
  const external = externalPuppetDb(settings, puppetDbLog);
  const puppetDb = external ?? primaryPuppetDb(settings, primaryUrl, puppetDbLog);
  const now = () => new Date();
  const store = new OutboxStore(foundation.database, now);
  const outboxLog = log.child({ service: 'outbox' });
  const outbox = new Outbox({
    store,
    destination:
      external === undefined ? primaryDestination(primary, primaryUrl) : externalDestination(external.client),
    log: outboxLog,
    retryIntervalMs: outboxRetryMs,
  });
  const forgetting = periodically(
    () => forgetContents(store, now(), outboxLog),
    forgetIntervalMs,
    log,
    'forget contents of catalogs',
  );
  const services = createAgentServices(foundation, {
    findFacts: puppetDb.findFacts,
    data: nodeData({
      sink: throughOutbox(outbox, store),
      producer: settings.certname,
      now,
      hasUnchangedResources: puppetDb.conf.includeUnchangedResources,
    }),
    puppetDb: puppetDb.compiler,
    classifier: new RemoteClassifiedNodes({
      client: primary,
      primaryUrl,
      log: log.child({ service: 'nodes' }),
    }),
    aroundNodes: (nodes) => rememberNodes(foundation, nodes, isPrimaryAway),
    aroundTrustedExternal: (external) => rememberTrustedExternal(foundation, external, isPrimaryAway),
  });
  const source = remoteSource({ primaryUrl, client: primary });
  const client = createFileSyncClient(foundation, services.code, source);
  const proxy = caProxyRoutes({
    client: primary,
    primaryUrl,
    caFile: files.ca,
    crlFile: files.crl,
    isPrimaryAway,
    log: log.child({ service: 'ca-proxy' }),
  });
  const packages = mirroredPackages(settings, files.ca, {
    client: primary,
    primaryUrl,
    isPrimaryAway,
    log: log.child({ service: 'packages' }),
  });
  const readiness = { hasAskedForCode: false, port: settings.serverPort };
  const membership = new Membership({
    client: primary,
    primaryUrl,
    files,
    log: log.child({ service: 'infrastructure' }),
    report: () => report(),
  });
  const { http, status } = await createAgentPort(
    foundation,
    files,
    [
      ...services.routes,
      ...packages,
      ...proxy,
      membershipRoute(primaryUrl),
      forceSyncRoute(client, services.code.versions, Date.now),
    ],
    () =>
      membership.obstacle ??
      (readiness.hasAskedForCode && services.code.versions.environments().length > 0
        ? undefined
        : 'code from the primary'),
  );
  status.register(clientStatus(client, services.code.versions, settings.puppetVersion, Date.now));
  const report = ownReport({
    settings,
    status,
    versions: services.code.versions,
    pool: services.pool,
    port: () => readiness.port,
    certificateEndsAt: () => renewal.endsAt,
    undelivered: () => outbox.count(),
  });
  const crl = new CrlFollower({
    client: primary,
    primaryUrl,
    file: files.crl,
    log: log.child({ service: 'crl' }),
    async onChange(lists) {
      http.setRevocationLists(lists);
      await membership.look(lists);
    },
  });
  const reloadCredentials = async () => {
    primary.setCredentials(await credentials(files));
    http.reloadTls(await readTlsMaterial(files));
  };
  const renewal = keepCertificate(
    foundation,
    { files, client: primary, primaryUrl, signal },
    reloadCredentials,
  );
  // What was live before is live again at once, whether or not the primary is there.
  await client.restore();
  const port = await http.listen(settings.serverPort, settings.listen === '' ? undefined : settings.listen);
  readiness.port = port;
  log.info({ port, certname: settings.certname, primaryUrl }, 'compile server is listening');
  client.start();
  // Before agents are let in: what was deployed while this server was away.
  void client.firstAttempt(catchUpPatienceMs).then(() => {
    readiness.hasAskedForCode = true;
  });
  outbox.start();
  void forgetting.run();
  crl.start();
  membership.start();
  void renewal.run();

  return {
    port,
    leaving: membership.leaving,
    async reload() {
      http.setAuthorization(loadAuthorization(settings));
      await reloadCredentials();
    },
    async stop() {
      await http.retire(settings.drainDelaySeconds * 1000);
      await renewal.stop();
      await crl.stop();
      await client.stop();
      await http.drain(settings.drainTimeoutSeconds * 1000);
      await services.settled();
      await forgetting.stop();
      const isDrained = !membership.isToLeave || (await outbox.flushed(flushTimeoutMs));
      await outbox.stop();
      await membership.stop(isDrained);
      await services.pool.close();
      puppetDb.close();
      await foundation.database.close();
      foundation.processes.close();
      primary.close();
      lock.release();
    },
  };
}

/** `HOST`, `HOST:PORT` or a URL; the port is 8140 when absent. */
function primaryUrlOf(primary: string): string {
  const text = primary.startsWith('https://') ? primary : `https://${primary}`;
  const hasPort = /:\d+\/?$/.test(text);
  return `${text.replace(/\/+$/, '')}${hasPort ? '' : ':8140'}`;
}

function obtainOwnCertificate(
  settings: Settings,
  log: RootLogger,
  primaryUrl: string,
  signal: AbortSignal,
): Promise<SslFiles> {
  const altNames = settings.dnsAltNames.length === 0 ? ['puppet'] : settings.dnsAltNames;
  return obtainNodeCertificate({
    sslDir: settings.sslDir,
    certname: settings.certname,
    altNames: [settings.certname, ...altNames].join(','),
    extensions: { pp_auth_role: 'pe_compiler' },
    // Its part of each handshake with RSA-4096 would take longer than most catalogs.
    key: { kind: 'ec', curve: 'P-256' },
    primaryUrl,
    ...(settings.caFingerprint === '' ? {} : { caFingerprint: settings.caFingerprint }),
    pollIntervalMs: settings.waitForCertSeconds * 1000,
    log: log.child({ service: 'certificate' }),
    signal,
  });
}

/** Renews this server's certificate before it ends, and shows when that is. */
function keepCertificate(
  { log, metrics }: Foundation,
  renewal: Pick<Parameters<typeof renewNodeCertificate>[0], 'files' | 'client' | 'primaryUrl' | 'signal'>,
  onRenewed: () => Promise<void>,
): Periodic & { readonly endsAt: Date | undefined } {
  let endsAt: Date | undefined;
  showOwnEnds(metrics, () => (endsAt === undefined ? [] : [{ endsAt }]));
  const work = async () => {
    const certificateLog = log.child({ service: 'certificate' });
    if (await renewNodeCertificate({ ...renewal, now: new Date(), log: certificateLog })) await onRenewed();
    endsAt = (await readOwnCertificate(renewal.files.certificate)).notAfter;
  };
  const periodic = periodically(work, renewalIntervalMs, log, "renew this server's certificate");
  return {
    ...periodic,
    get endsAt() {
      return endsAt;
    },
  };
}

async function credentials(files: SslFiles) {
  return {
    ca: await readFile(files.ca, 'utf8'),
    certificate: await readFile(files.certificate, 'utf8'),
    privateKey: await readFile(files.privateKey, 'utf8'),
  };
}
