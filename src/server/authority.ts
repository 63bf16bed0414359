/** The certificate authority as the primary has it: opened by the settings, looked after, and watched. */

import { writeFileAtomically } from '../lib/atomic-file.ts';
import type { HttpServer, Identity, Route } from '../platform/http/index.ts';
import type { Logger, RootLogger } from '../platform/log/index.ts';
import type { Metrics } from '../platform/metrics/index.ts';
import type { Settings } from '../platform/settings/index.ts';
import { daysUntil } from '../platform/x509/index.ts';
import {
  type CaHealth,
  CertificateAuthority,
  caRoutes,
  ensureServerCertificate,
  serverCertificateFiles,
} from '../services/ca/index.ts';
import { readLifetime } from '../services/node-certificate/index.ts';
import type { Alert, StatusRegistry } from '../services/status/index.ts';
import { readTlsMaterial, type TlsFiles } from './agent-port.ts';
import { readSiteCa } from './ca-settings.ts';
import { type Periodic, periodically } from './periodic.ts';

/** What takes new certificates and lists. */
export type TlsReloader = Pick<HttpServer, 'reloadTls' | 'setRevocationLists'>;

export interface Authority {
  readonly ca: CertificateAuthority;
  readonly routes: readonly Route[];
  /** Lets go of those who wait for a new CRL, so that the server can drain. */
  releaseWaiting(): void;
}

const alertDays = 180;
const maintenanceIntervalMs = 60 * 60 * 1000;
/** Revocations that come in a row share one file: a list of 20,000 entries is a megabyte. */
const applyIntervalMs = 250;

/** Compile servers carry it in their certificates. */
export function isInfrastructure(identity: Identity): boolean {
  return identity.kind === 'certificate' && identity.extensions['pp_auth_role'] === 'pe_compiler';
}

/** Opens the authority by the settings and by `ca.conf`, and makes one where there is none. */
export async function openAuthority(settings: Settings, log: RootLogger): Promise<Authority> {
  const site = await readSiteCa(settings);
  const caLog = log.child({ service: 'ca' });
  if (site.statusAccess !== undefined)
    caLog.warn({ file: settings.caConf }, 'certificate-status in ca.conf is deprecated: use auth.conf');
  const stopping = new AbortController();
  const ca = await CertificateAuthority.open(site.settings, { log: caLog, now: () => new Date() });
  const routes = caRoutes(ca, {
    isInfrastructure,
    stopping: stopping.signal,
    ...(site.statusAccess === undefined ? {} : { statusAccess: site.statusAccess }),
  });
  return { ca, routes, releaseWaiting: () => stopping.abort() };
}

/** The primary's own certificate, made or renewed. */
export async function ensureOwnCertificate(settings: Settings, ca: CertificateAuthority): Promise<TlsFiles> {
  await ensureServerCertificate(
    ca,
    {
      sslDir: settings.sslDir,
      certname: settings.certname,
      altNames: settings.dnsAltNames.join(','),
      key: { kind: 'rsa', bits: settings.keyLength },
    },
    new Date(),
  );
  const files = serverCertificateFiles(settings.sslDir, settings.certname);
  return { ...files, ca: files.caCertificates, crl: files.revocationLists };
}

/** Applies new lists at once, looks after the authority each hour, and shows how it is. */
export function watchAuthority(
  { ca }: Authority,
  settings: Settings,
  port: { readonly http: TlsReloader; readonly files: TlsFiles; readonly status: StatusRegistry },
  { log, metrics }: { readonly log: Logger; readonly metrics: Metrics },
): Periodic {
  const { files, http, status } = port;
  const save = coalesced(() => saveCrl(ca.crl.pem, files, log), applyIntervalMs);
  ca.onCrlChange(() => {
    http.setRevocationLists(ca.revocationLists);
    save();
  });
  let own = Number.NaN;
  const maintenance = periodically(
    async () => {
      await ca.maintain();
      const before = (await readLifetime(files.certificate)).notAfter;
      await ensureOwnCertificate(settings, ca);
      own = (await readLifetime(files.certificate)).notAfter.getTime();
      if (own !== before.getTime()) http.reloadTls({ ...(await readTlsMaterial(files)), crl: ca.crl.pem });
    },
    maintenanceIntervalMs,
    log,
    'look after the certificate authority',
  );
  showHealth(ca, metrics, () => own);
  status.register({
    names: ['ca'],
    version: settings.puppetVersion,
    read: (level) => ({
      state: 'running',
      ...(level === 'critical'
        ? {}
        : { status: describe(ca.health, ca.pendingRequests), alerts: alertsOf(ca.health, new Date()) }),
    }),
  });
  return maintenance;
}

function describe({ certificates, lists }: CaHealth, pendingRequests: number): unknown {
  const ends = (entries: CaHealth['lists']) =>
    Object.fromEntries(entries.map(({ endsAt, name }) => [name, endsAt?.toISOString() ?? null]));
  return { pending_requests: pendingRequests, ca_certs: ends(certificates), crls: ends(lists) };
}

/** What ends within half a year: lists are signed anew before that where the key is at hand. */
function alertsOf({ certificates, lists }: CaHealth, now: Date): readonly Alert[] {
  return [...certificates, ...lists].flatMap(({ endsAt, name }) => {
    const days = endsAt === undefined ? Number.POSITIVE_INFINITY : daysUntil(endsAt, now);
    if (days >= alertDays) return [];
    const severity = days < 0 ? 'error' : 'warning';
    return [{ severity, message: `A certificate or CRL of ${name} ends in ${days} days` } as const];
  });
}

function showHealth(ca: CertificateAuthority, metrics: Metrics, ownEndMs: () => number): void {
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
  showOwnEnd(metrics, ownEndMs);
}

/** @param endMs - since 1970; not a number while it is not known */
export function showOwnEnd(metrics: Metrics, endMs: () => number): void {
  metrics.gauge(
    { name: 'bunraku_server_certificate_end_seconds', help: "When this server's own certificate ends." },
    () => endMs() / 1000,
  );
}

/** The file is for those who read the ssldir: ports have the list already. */
async function saveCrl(pem: string, files: TlsFiles, log: Logger): Promise<void> {
  try {
    await writeFileAtomically(files.crl, pem);
  } catch (error) {
    log.error({ err: error }, 'could not save the new CRL');
  }
}

/** Calls `work` at once, and again at most every `intervalMs` when it was wanted in the meantime. */
function coalesced(work: () => Promise<void>, intervalMs: number): () => void {
  let isWanted = false;
  let isResting = false;
  const run = () => {
    isWanted = false;
    isResting = true;
    void work();
    setTimeout(() => {
      isResting = false;
      if (isWanted) run();
    }, intervalMs).unref();
  };
  return () => {
    isWanted = true;
    if (!isResting) run();
  };
}
