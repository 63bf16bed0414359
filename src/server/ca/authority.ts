/** The certificate authority as the primary has it: opened by the settings, maintained and watched. */

import { writeFileAtomically } from '../../lib/atomic-file.ts';
import type { Change } from '../../platform/changes/index.ts';
import type { Identity, Route } from '../../platform/http/index.ts';
import type { Logger, RootLogger } from '../../platform/log/index.ts';
import type { Metrics } from '../../platform/metrics/index.ts';
import { processEnvironment, type Settings } from '../../platform/settings/index.ts';
import { sslFiles } from '../../platform/x509/index.ts';
import {
  type CaSettings,
  CertificateAuthority,
  caRoutes,
  type JoinTerminus,
  SigningProcess,
  type Term,
  termAlert,
} from '../../services/ca/index.ts';
import type { Alert, StatusRegistry } from '../../services/status/index.ts';
import { announcedVersion } from '../compiler/language-settings.ts';
import { type Periodic, periodically } from '../periodic.ts';
import { workerFile } from '../worker-files.ts';
import type { OwnCertificate, ServiceCertificates } from './service-certificates.ts';
import { readSiteCa } from './site-ca.ts';

export interface Authority {
  readonly ca: CertificateAuthority;
  routesFor(clients: AuthorityClients): readonly Route[];
  /** Lets go of those who wait for a new CRL, so that the server can drain. */
  releaseWaiting(): void;
  /** Where the key is; absent where a program signs. */
  readonly signing: SigningProcess | undefined;
  close(): Promise<void>;
}

export interface AuthorityClients {
  /** Recognises the servers of the installation. */
  readonly isInfrastructure: (identity: Identity) => boolean;
  /** Knows the secrets with which servers join. */
  readonly joins: JoinTerminus;
  /** Whether a client may administer certificates, besides those that rules allow. */
  readonly isNamed: (certname: string) => boolean;
  /** Keeps what operators do with certificates. */
  readonly record: (change: Change) => Promise<void>;
}

const dayMs = 24 * 60 * 60 * 1000;
const authorityAlertMs = 180 * dayMs;
/** They are renewed 60 days before the end, short ones after two thirds of their life: by then somebody must look. */
const ownAlertMs = 14 * dayMs;
const maintenanceIntervalMs = 60 * 60 * 1000;
/** Revocations that come in a row share one file: a list of 20,000 entries is a megabyte. */
const saveIntervalMs = 250;

/** Opens the authority by the settings and by `ca.conf`, and makes one when there is none. */
export async function openAuthority(settings: Settings, log: RootLogger): Promise<Authority> {
  const site = await readSiteCa(settings);
  const caLog = log.child({ service: 'ca' });
  if (site.statusAccess !== undefined)
    caLog.warn({ file: settings.caConf }, 'certificate-status in ca.conf is deprecated: use auth.conf');
  const stopping = new AbortController();
  const now = () => new Date();
  const signing = startSigning(settings, site.settings, caLog);
  const ca = await CertificateAuthority.open(site.settings, { log: caLog, now, signing });
  const routesFor: Authority['routesFor'] = (clients) =>
    caRoutes(ca, {
      ...clients,
      stopping: stopping.signal,
      ...(site.statusAccess === undefined ? {} : { statusAccess: site.statusAccess }),
    });
  const close = async () => {
    await ca.close();
    signing?.close();
  };
  return { ca, routesFor, releaseWaiting: () => stopping.abort(), signing, close };
}

/** Its start takes place beside that of the server. */
function startSigning(
  { caSignerSocket }: Settings,
  { caDir, signingCommand }: CaSettings,
  log: Logger,
): SigningProcess | undefined {
  if (caSignerSocket === '' && signingCommand.length > 0) return undefined;
  return new SigningProcess({
    caDir,
    workerUrl: workerFile('signer-worker'),
    environment: processEnvironment(),
    log,
    ...(caSignerSocket === '' ? {} : { socketPath: caSignerSocket }),
  });
}

/** Applies new lists at once, looks after the authority each hour, and shows how it is. */
export function watchAuthority(
  { ca, signing }: Authority,
  settings: Settings,
  { certificates, status }: { readonly certificates: ServiceCertificates; readonly status: StatusRegistry },
  { log, metrics }: { readonly log: Logger; readonly metrics: Metrics },
): Periodic {
  const { crl: crlFile } = sslFiles(settings.sslDir, settings.certname);
  const save = coalesced(() => saveCrl(ca.crl.pem, crlFile, log), saveIntervalMs);
  const maintenance = periodically(
    async () => {
      await ca.maintain();
      await certificates.maintain();
    },
    maintenanceIntervalMs,
    log,
    'maintain the certificate authority',
  );
  ca.onCrlChange(() => {
    certificates.setRevocationLists(ca.revocationLists);
    save();
    if (certificates.isAnyRevoked()) void maintenance.run();
  });
  showHealth(ca, metrics);
  showOwnEnds(metrics, () => certificates.all);
  status.register({
    names: ['ca'],
    version: announcedVersion(settings),
    read: (level) =>
      level === 'critical'
        ? { state: 'running' }
        : { state: 'running', ...describe(ca, certificates.all, new Date(), signing) },
  });
  return maintenance;
}

function describe(
  ca: CertificateAuthority,
  own: readonly OwnCertificate[],
  now: Date,
  signing: SigningProcess | undefined,
) {
  const { certificates, lists, withoutList } = ca.health;
  const ends = (entries: readonly Pick<Term, 'name' | 'endsAt'>[]) =>
    Object.fromEntries(entries.map(({ endsAt, name }) => [name, endsAt?.toISOString() ?? null]));
  const status = {
    pending_requests: ca.pendingRequests,
    ca_certs: ends(certificates),
    crls: ends(lists),
    service_certs: ends(own),
    ...(signing === undefined ? {} : { signing_process: { uid: signing.uid, restarts: signing.restarts } }),
  };
  const alertOf = (soonMs: number) => (term: Term) => termAlert(term, now, soonMs) ?? [];
  const alerts: readonly Alert[] = [
    ...[...certificates, ...lists].flatMap(alertOf(authorityAlertMs)),
    ...own.flatMap(alertOf(ownAlertMs)),
    ...sharedUser(signing),
    ...withoutList.map((name): Alert => ({ severity: 'error', message: `There is no CRL of ${name}` })),
  ];
  return { status, alerts };
}

/** Fine for trying things out; an installation gives the key to a user of its own. */
function sharedUser(signing: SigningProcess | undefined): readonly Alert[] {
  if (signing === undefined || signing.uid !== process.getuid?.()) return [];
  const message =
    'The signing process runs under the same user as the server: module code can read the private key of the CA ' +
    '(see the setting ca_signer_socket)';
  return [{ severity: 'info', message }];
}

function showHealth(ca: CertificateAuthority, metrics: Metrics): void {
  const earliest = (dates: readonly (Date | undefined)[]) =>
    Math.min(...dates.flatMap((date) => (date ? [date.getTime() / 1000] : [])));
  metrics.gauge(
    { name: 'bunraku_ca_certificate_end_seconds', help: 'When the first certificate of the authority ends.' },
    () => earliest(ca.health.certificates.map(({ endsAt }) => endsAt)),
  );
  metrics.gauge({ name: 'bunraku_ca_crl_end_seconds', help: 'When the first revocation list lapses.' }, () =>
    earliest(ca.health.lists.map(({ endsAt }) => endsAt)),
  );
  metrics.gauge(
    { name: 'bunraku_ca_pending_requests', help: 'Certificate requests that wait for a signature.' },
    () => ca.pendingRequests,
  );
}

/** @param own - not there yet while none is known */
export function showOwnEnds(metrics: Metrics, own: () => readonly Pick<OwnCertificate, 'endsAt'>[]): void {
  metrics.gauge(
    {
      name: 'bunraku_server_certificate_end_seconds',
      help: "When the first of this server's own certificates ends.",
    },
    () => Math.min(...own().map(({ endsAt }) => endsAt.getTime() / 1000)),
  );
}

/** The file is for those who read the ssldir: ports have the list already. */
async function saveCrl(pem: string, file: string, log: Logger): Promise<void> {
  try {
    await writeFileAtomically(file, pem);
  } catch (error) {
    log.error({ err: error }, 'could not save the new CRL');
  }
}

/**
 * Calls `work`, which never rejects, at once, and `intervalMs` after its end again when it was wanted in the meantime:
 * one that is slow is never overtaken by the next.
 */
function coalesced(work: () => Promise<void>, intervalMs: number): () => void {
  let isWanted = false;
  let isResting = false;
  const run = () => {
    isWanted = false;
    isResting = true;
    void work().then(() => {
      setTimeout(() => {
        isResting = false;
        if (isWanted) run();
      }, intervalMs).unref();
    });
  };
  return () => {
    isWanted = true;
    if (!isResting) run();
  };
}
