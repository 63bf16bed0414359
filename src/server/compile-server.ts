/** A compile server: follows a primary, and keeps serving agents while that is away. */

import type { RootLogger } from '../platform/log/index.ts';
import { primaryUrlOf, type Settings } from '../platform/settings/index.ts';
import { lockDirectory } from '../platform/storage/index.ts';
import { caProxyRoutes } from '../services/ca-proxy/index.ts';
import { remoteSource } from '../services/filesync/index.ts';
import { membershipRoute } from '../services/infrastructure/index.ts';
import type { SslFiles } from '../services/node-certificate/index.ts';
import { rememberedNodeMigrations } from '../services/nodes/index.ts';
import { outboxMigrations } from '../services/outbox/index.ts';
import { createAgentServices } from './agents/agent-services.ts';
import { mirroredPackages } from './agents/packages.ts';
import { CrlFollower } from './ca/crl-follower.ts';
import {
  keepMemberCertificate,
  memberCredentials,
  obtainMemberCertificate,
} from './ca/member-certificate.ts';
import { readTlsMaterial } from './ca/tls-files.ts';
import { followCode } from './code/followed-code.ts';
import { type Foundation, layFoundation } from './foundation.ts';
import { infrastructurePredicate } from './infrastructure/infrastructure-identity.ts';
import { Membership } from './infrastructure/membership.ts';
import { ownReport } from './infrastructure/own-report.ts';
import { linkToPrimary, type PrimaryLink } from './infrastructure/primary-link.ts';
import { openMemberData } from './node-data/member-data.ts';
import { memberNodes } from './nodes/member-nodes.ts';
import { createAgentPort } from './ports/agent-port.ts';
import type { RunningServer } from './running-server.ts';
import type { ServedPart } from './served-part.ts';

/** How long a primary that does not answer may keep a server with code of its own from serving. */
const catchUpPatienceMs = 10_000;

export async function startCompileServer(
  settings: Settings,
  log: RootLogger,
  signal: AbortSignal,
): Promise<RunningServer> {
  const lock = lockDirectory(settings.stateDir);
  const primaryUrl = primaryUrlOf(settings.primary);
  const files = await obtainMemberCertificate(settings, log, primaryUrl, signal);
  const foundation = await layFoundation(settings, log, [...outboxMigrations, ...rememberedNodeMigrations], {
    hasReaderThread: false,
  });
  const primary = await linkToPrimary(primaryUrl, files);

  // What a compile server is made of.
  const data = openMemberData(foundation, primary);
  const services = createAgentServices(foundation, { ...data.termini, ...memberNodes(foundation, primary) });
  const code = followCode(foundation, services.code, remoteSource(primary));
  const membership = new Membership({
    ...primary,
    files,
    log: log.child({ service: 'infrastructure' }),
    report: () => report(),
  });
  const { versions } = services.code;
  let hasAskedForCode = false;
  const hasCode = () => hasAskedForCode && versions.environments().length > 0;
  const agents = await createAgentPort(foundation, {
    files,
    isInfrastructure: infrastructurePredicate(settings),
    parts: [
      services,
      mirroredPackages(settings, files.ca, { ...primary, log: log.child({ service: 'packages' }) }),
      authorityOf(primary, files, foundation),
      { routes: [membershipRoute(primaryUrl)] },
      code,
    ],
    readiness: () => membership.obstacle ?? (hasCode() ? undefined : missingCode(code.client.isEntitled)),
  });
  const { http, status } = agents;
  const reloadCredentials = async () => {
    primary.client.setCredentials(await memberCredentials(files));
    http.reloadTls(await readTlsMaterial(files));
  };
  const certificate = keepMemberCertificate(foundation, { ...primary, files, signal }, reloadCredentials);
  const crl = new CrlFollower({
    ...primary,
    file: files.crl,
    log: log.child({ service: 'crl' }),
    async onChange(lists) {
      http.setRevocationLists(lists);
      await membership.look(lists);
    },
  });
  const report = ownReport({
    settings,
    status,
    versions,
    pool: services.pool,
    port: () => agents.port,
    certificateEndsAt: () => certificate.endsAt,
    undelivered: () => data.undelivered(),
  });

  // What was live before is live again at once, whether or not the primary is there.
  await code.client.restore();
  const port = await agents.listen();
  log.info({ port, certname: settings.certname, primaryUrl }, 'compile server is listening');
  code.client.start();
  // Before agents are let in: what was deployed while this server was away.
  void code.client.firstAttempt(catchUpPatienceMs).then(() => {
    hasAskedForCode = true;
  });
  data.start();
  crl.start();
  membership.start();
  void certificate.run();

  return {
    port,
    leaving: membership.leaving,
    async reload() {
      agents.reloadRules();
      await reloadCredentials();
    },
    async stop() {
      await http.retire(settings.drainDelaySeconds * 1000);
      await certificate.stop();
      await crl.stop();
      await code.client.stop();
      await http.drain(settings.drainTimeoutSeconds * 1000);
      await services.stop();
      const isDrained = await data.stop(membership.isToLeave);
      await membership.stop(isDrained);
      await foundation.disks.stop();
      await foundation.database.close();
      foundation.processes.close();
      primary.client.close();
      lock.release();
    },
  };
}

/** What a server without code waits for, as its status says it. */
function missingCode(isEntitled: boolean): string {
  return isEntitled ? 'code from the primary' : notEntitled;
}

const notEntitled =
  'rights: the primary does not know this node as a compile server. Pin it to the group PE Master of the classifier, ' +
  "let it join with a token ('bunraku infrastructure token' on the primary), or sign a request that has pp_auth_role; " +
  'docs/membership.md names every way';

/** The primary's authority, as agents reach it here. */
function authorityOf(primary: PrimaryLink, files: SslFiles, { log }: Foundation): ServedPart {
  return {
    routes: caProxyRoutes({
      ...primary,
      caFile: files.ca,
      crlFile: files.crl,
      log: log.child({ service: 'ca-proxy' }),
    }),
  };
}
