/** How a compile server leaves: unhealthy first, drained, then revoked, deactivated and forgotten. */

import { ServiceError } from '../../lib/service-error.ts';
import type { Logger } from '../../platform/log/index.ts';
import type { ServerRegister } from './server-register.ts';

/** What the authority does. */
export interface CertificateTerminus {
  /** Whether there is or was a certificate for that name. */
  isIssued(certname: string): Promise<boolean>;
  revoke(certname: string): Promise<void>;
  /** Removes its files, a waiting request included. */
  remove(certname: string): Promise<void>;
}

/** What knows of nodes by their facts and catalogs. */
export interface NodeMemoryTerminus {
  deactivate(certname: string): Promise<void>;
}

export interface DepartureOptions {
  /** The primary's certname. */
  readonly self: string;
  readonly servers: ServerRegister;
  readonly certificates: CertificateTerminus;
  /** Absent without a PuppetDB. */
  readonly memory?: NodeMemoryTerminus | undefined;
  /** How long a server may take to finish what it does. */
  readonly drainTimeoutMs: number;
  readonly log: Logger;
}

/** What was done, in order. */
export interface Departure {
  readonly certname: string;
  /** `not-needed`: it was not there to drain. */
  readonly drained: 'yes' | 'not-needed' | 'skipped';
  readonly wasRevoked: boolean;
  readonly wasDeactivated: boolean;
}

/**
 * May be asked for again after a failure: what has been done is not undone, and is done again without harm.
 *
 * @param isForced - don't wait for it, and go on although it is unknown
 * @throws ServiceError `not-found` for an unknown name, `conflict` for the primary, `timeout` when it does not
 *   drain in time
 */
export async function depart(
  options: DepartureOptions,
  certname: string,
  isForced: boolean,
): Promise<Departure> {
  const { certificates, log, memory, servers } = options;
  if (certname === options.self)
    throw new ServiceError('conflict', `${certname} is the primary: it cannot leave`);
  const isIssued = await certificates.isIssued(certname);
  if (servers.find(certname) === undefined && !(isIssued && isForced)) throw unknown(certname, isIssued);
  const drained = isForced ? 'skipped' : await drain(options, certname);
  if (isIssued) {
    await certificates.revoke(certname);
    await certificates.remove(certname);
  }
  await memory?.deactivate(certname);
  await servers.forget(certname);
  log.info({ certname, drained }, 'a compile server has left');
  return { certname, drained, wasRevoked: isIssued, wasDeactivated: memory !== undefined };
}

function unknown(certname: string, isIssued: boolean): ServiceError {
  const advice = isIssued ? '; with --force its certificate is revoked all the same' : '';
  return new ServiceError('not-found', `${certname} is not known as a compile server${advice}`);
}

async function drain(
  { drainTimeoutMs, servers }: DepartureOptions,
  certname: string,
): Promise<Departure['drained']> {
  if (!servers.isInContact(certname)) return 'not-needed';
  servers.orderToLeave(certname);
  if (await servers.until(() => !servers.isInContact(certname), drainTimeoutMs)) return 'yes';
  servers.letStay(certname);
  throw new ServiceError('timeout', `${certname} has not drained within ${drainTimeoutMs / 1000} s`);
}
