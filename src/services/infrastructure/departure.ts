/**
 * How a compile server leaves: unhealthy first, drained, then revoked, deactivated and forgotten.
 *
 * The order is stored before the server is told. Each step may be done again, so that whatever process is killed, the next one goes on.
 */

import { KeyedQueue } from '../../lib/keyed-queue.ts';
import { ServiceError } from '../../lib/service-error.ts';
import { serverItself } from '../../platform/changes/index.ts';
import type { Logger } from '../../platform/log/index.ts';
import { type RecordChange, serverLeft } from './server-changes.ts';
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
  /** Keeps which servers left, when no caller does. */
  readonly record?: RecordChange;
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

/** A server that died while it drained is given up after this time; a driver that knows better says so before. */
const silentMs = 120_000;
const warnMs = 24 * 60 * 60_000;

export class Departures {
  private readonly options: DepartureOptions;
  private readonly queue = new KeyedQueue();
  /** Servers that left without delivering all that they had accepted, and when. */
  private readonly losses = new Map<string, { readonly messages: number; readonly atMs: number }>();
  /** Servers that a caller waits for, who says how it went. */
  private readonly awaited = new Set<string>();

  constructor(options: DepartureOptions) {
    this.options = options;
  }

  /**
   * Orders a server to drain and to leave, and does not wait for that: `look` completes it.
   *
   * @throws ServiceError `not-found` for an unknown name, `conflict` for the primary and for a server that cannot be told
   */
  async order(certname: string, cause: string): Promise<void> {
    const { self, servers } = this.options;
    if (certname === self) throw new ServiceError('conflict', `${certname} is the primary: it cannot leave`);
    const server = servers.find(certname);
    if (server === undefined) throw unknown(certname, false);
    const state = servers.stateOf(server);
    if (state === 'unreachable' || state === 'joining')
      throw new ServiceError('conflict', `${certname} is ${state}: it cannot drain, but it can be forgotten`);
    await servers.orderToLeave(certname, cause);
  }

  /**
   * Waits until a server has drained, and removes what it leaves behind. May be asked for again after a failure.
   *
   * @param isForced - don't wait for it, and go on although it is unknown
   * @throws ServiceError `not-found` for an unknown name, `conflict` for the primary, `timeout` when it does not
   *   drain in time
   */
  async leave(certname: string, isForced: boolean, cause: string): Promise<Departure> {
    const { certificates, self, servers } = this.options;
    if (certname === self) throw new ServiceError('conflict', `${certname} is the primary: it cannot leave`);
    const isIssued = await certificates.isIssued(certname);
    if (servers.find(certname) === undefined && !(isIssued && isForced)) throw unknown(certname, isIssued);
    this.awaited.add(certname);
    try {
      const drained = isForced ? 'skipped' : await this.drain(certname, cause);
      const { wasRevoked } = await this.removeTraces(certname);
      const wasDeactivated = this.options.memory !== undefined;
      this.options.log.info({ certname, drained }, 'a compile server has left');
      return { certname, drained, wasRevoked, wasDeactivated };
    } finally {
      this.awaited.delete(certname);
    }
  }

  /** Removes what a server leaves behind whose instance is known to be gone. Does nothing where there is nothing. */
  async remove(certname: string): Promise<void> {
    if (certname === this.options.self) return;
    const undelivered = this.options.servers.find(certname)?.report?.undelivered ?? 0;
    const { wasKnown, wasRevoked } = await this.removeTraces(certname);
    if (wasKnown) await this.noteLeft(certname, 'its instance is gone', undelivered);
    else if (wasRevoked) this.options.log.info({ certname }, 'a compile server is gone');
  }

  /** A warning for each server that took messages with it in the last day. */
  warnings(): readonly string[] {
    const nowMs = performance.now();
    for (const [certname, { atMs }] of this.losses) if (nowMs - atMs >= warnMs) this.losses.delete(certname);
    return Array.from(
      this.losses,
      ([certname, { messages }]) => `${certname} has left and had not delivered ${messages} messages`,
    );
  }

  /** Completes what was ordered, also before a restart of the primary. To be called often. */
  async look(): Promise<void> {
    for (const { certname, leaveOrder, report } of this.options.servers.all()) {
      if (leaveOrder === undefined || this.awaited.has(certname) || !this.hasEnded(certname)) continue;
      if ((await this.removeTraces(certname)).wasKnown)
        await this.noteLeft(certname, leaveOrder.cause, report?.undelivered ?? 0);
    }
  }

  private async noteLeft(certname: string, cause: string, undelivered: number): Promise<void> {
    const { log, record } = this.options;
    await record?.(serverLeft(certname, serverItself));
    if (undelivered === 0) return log.info({ certname, cause }, 'a compile server has left');
    this.losses.set(certname, { messages: undelivered, atMs: performance.now() });
    log.error({ certname, cause, undelivered }, 'a compile server has left without delivering all messages');
  }

  /** Whether a server that was ordered to leave has done so, or will not. */
  private hasEnded(certname: string): boolean {
    const { servers } = this.options;
    const server = servers.find(certname);
    if (server === undefined) return false;
    const state = servers.stateOf(server);
    if (state === 'drained') return true;
    // What it keeps may still be delivered when it is started again.
    if (state === 'stopped') return (server.report?.undelivered ?? 0) === 0;
    return state === 'unreachable' && servers.silentMs(server) >= silentMs;
  }

  private removeTraces(
    certname: string,
  ): Promise<{ readonly wasRevoked: boolean; readonly wasKnown: boolean }> {
    const { certificates, memory, servers } = this.options;
    // Two of them at a time would revoke twice.
    return this.queue.run([certname], async () => {
      const wasKnown = servers.find(certname) !== undefined;
      const wasRevoked = await certificates.isIssued(certname);
      if (wasRevoked) {
        await certificates.revoke(certname);
        await certificates.remove(certname);
      }
      if (wasKnown || wasRevoked) await memory?.deactivate(certname);
      await servers.forget(certname);
      return { wasRevoked, wasKnown };
    });
  }

  private async drain(certname: string, cause: string): Promise<Departure['drained']> {
    const { drainTimeoutMs, servers } = this.options;
    if (!servers.isInContact(certname)) return 'not-needed';
    const isNew = servers.find(certname)?.leaveOrder === undefined;
    await servers.orderToLeave(certname, cause);
    if (await servers.until(() => !servers.isInContact(certname), drainTimeoutMs)) return 'yes';
    if (isNew) await servers.letStay(certname);
    throw new ServiceError('timeout', `${certname} has not drained within ${drainTimeoutMs / 1000} s`);
  }
}

function unknown(certname: string, isIssued: boolean): ServiceError {
  const advice = isIssued ? '; with --force its certificate is revoked all the same' : '';
  return new ServiceError('not-found', `${certname} is not known as a compile server${advice}`);
}
