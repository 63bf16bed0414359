/** The compile servers: what they said last, and whether they are there. */

import { serverItself } from '../../platform/changes/index.ts';
import type { Logger } from '../../platform/log/index.ts';
import { type RecordChange, serverJoined } from './server-changes.ts';
import type { InfrastructureStore, LeaveOrder } from './store.ts';
import { type CheckIn, CheckInWire, type Orders } from './wire.ts';

export interface KnownServer {
  readonly certname: string;
  readonly joinedAt: Date;
  readonly lastContactAt: Date | undefined;
  /** The same on a clock that is never moved; when this process began to listen, for what was heard before. */
  readonly heardMs: number;
  /** `undefined` until it has checked in for the first time. */
  readonly report: CheckIn | undefined;
  /** That it is to leave, whether or not it knows that yet. */
  readonly leaveOrder: LeaveOrder | undefined;
}

/** `joining`: has a certificate and has not been heard of; `unreachable`: vanished without a word. */
export type ServerState = CheckIn['state'] | 'joining' | 'unreachable' | 'leaving';

interface Entry {
  serial: string | undefined;
  readonly joinedAt: Date;
  lastContactAt: Date | undefined;
  heardMs: number;
  savedAt: Date | undefined;
  report: CheckIn | undefined;
  leaveOrder: LeaveOrder | undefined;
  hasVanished: boolean;
  /** Whether it has been let into its groups since this process began. */
  isAdmitted: boolean;
}

/** What a server shows when it checks in. */
export interface ServerCertificate {
  readonly certname: string;
  /** Upper-case hexadecimal. */
  readonly serial: string;
  readonly extensions: Readonly<Record<string, string>>;
}

/** What classifies nodes. */
export interface MemberGroupsTerminus {
  /** Lets a server have what compile servers are to have, unless its certificate gives it that already. */
  admit(certificate: ServerCertificate): Promise<void>;
  /** Takes that away, and whatever else a node was given by its name. */
  unpin(certname: string): Promise<void>;
}

export interface RegisterOptions {
  /** Absent without a classifier. */
  readonly groups?: MemberGroupsTerminus | undefined;
  readonly log: Logger;
  readonly now: () => Date;
  /** Milliseconds of a clock that is never moved; the process's own when absent. */
  readonly elapsedMs?: () => number;
  /** Keeps which servers joined. */
  readonly record: RecordChange;
  /** Told of each server that has left for good. */
  readonly onForgotten?: (certname: string) => void;
  /** Told of the runs in each check-in, which are not kept here. */
  readonly onReport?: (certname: string, report: CheckIn) => void;
}

const steadyMs = () => performance.now();
/** Several check-ins that did not come. */
const vanishedAfterMs = 10_000;
/** What is on disk of a server whose state does not change may be so old. */
const saveIntervalMs = 60_000;

export class ServerRegister {
  private readonly store: InfrastructureStore;
  private readonly log: Logger;
  private readonly now: () => Date;
  private readonly elapsedMs: () => number;
  private readonly onForgotten: (certname: string) => void;
  private readonly onReport: (certname: string, report: CheckIn) => void;
  private readonly groups: MemberGroupsTerminus | undefined;
  private readonly record: RecordChange;
  private readonly entries: Map<string, Entry>;
  private readonly watchers = new Set<() => void>();

  private constructor(store: InfrastructureStore, options: RegisterOptions, entries: Map<string, Entry>) {
    this.store = store;
    this.log = options.log;
    this.now = options.now;
    this.elapsedMs = options.elapsedMs ?? steadyMs;
    this.onForgotten = options.onForgotten ?? (() => {});
    this.onReport = options.onReport ?? (() => {});
    this.groups = options.groups;
    this.record = options.record;
    this.entries = entries;
  }

  static async load(store: InfrastructureStore, options: RegisterOptions): Promise<ServerRegister> {
    const entries = new Map<string, Entry>();
    const heardMs = (options.elapsedMs ?? steadyMs)();
    for (const server of await store.servers()) {
      const { certname, joinedAt, lastContactAt, lastReport, leaveOrder, serial } = server;
      const report =
        lastReport === undefined ? undefined : CheckInWire.safeParse(JSON.parse(lastReport)).data;
      const stamps = { joinedAt, lastContactAt, heardMs, savedAt: lastContactAt };
      entries.set(certname, {
        ...stamps,
        serial,
        report,
        leaveOrder,
        hasVanished: false,
        isAdmitted: false,
      });
    }
    return new ServerRegister(store, options, entries);
  }

  /** By certname. */
  all(): readonly KnownServer[] {
    return [...this.entries]
      .map(([certname, entry]) => ({ certname, ...entry }))
      .sort((a, b) => (a.certname < b.certname ? -1 : 1));
  }

  find(certname: string): KnownServer | undefined {
    const entry = this.entries.get(certname);
    return entry && { certname, ...entry };
  }

  stateOf({ heardMs, lastContactAt, leaveOrder, report }: KnownServer): ServerState {
    if (report === undefined || lastContactAt === undefined) return 'joining';
    if (report.state === 'stopped' || report.state === 'drained') return report.state;
    // By the clock that is never moved: a server that is thought to be gone loses its certificate without being drained.
    if (this.elapsedMs() - heardMs >= vanishedAfterMs) return 'unreachable';
    return leaveOrder === undefined ? report.state : 'leaving';
  }

  /** Servers can check in from now on: silence before that says nothing about them. */
  noteListening(): void {
    const nowMs = this.elapsedMs();
    for (const entry of this.entries.values()) entry.heardMs = nowMs;
  }

  /** Since its last check-in, or since this process began to listen. */
  silentMs({ heardMs }: KnownServer): number {
    return this.elapsedMs() - heardMs;
  }

  /** Whether a server can be told something. */
  isInContact(certname: string): boolean {
    const server = this.find(certname);
    return (
      server !== undefined && !['joining', 'stopped', 'drained', 'unreachable'].includes(this.stateOf(server))
    );
  }

  /** A server got its certificate. */
  async noteJoined(certname: string): Promise<void> {
    if (this.entries.has(certname)) return;
    await this.save(certname, this.add(certname));
    await this.record(serverJoined(certname, serverItself));
    this.log.info({ certname }, 'a compile server joins');
  }

  /**
   * What a server says of itself.
   *
   * @returns what it is to do
   */
  async checkIn(certificate: ServerCertificate, report: CheckIn): Promise<Pick<Orders, 'leave'>> {
    const { certname, serial } = certificate;
    // Once in the life of this process: the last time may have been cut short.
    if (this.entries.get(certname)?.isAdmitted !== true && report.role === 'compile server')
      await this.groups?.admit(certificate);
    const entry = this.entries.get(certname) ?? this.add(certname);
    const before = entry.report?.state;
    const now = this.now();
    const isSame = entry.serial === serial && before === report.state;
    entry.isAdmitted = true;
    entry.serial = serial;
    this.onReport(certname, report);
    entry.report = withoutRuns(report);
    entry.lastContactAt = now;
    entry.heardMs = this.elapsedMs();
    if (entry.hasVanished) this.log.info({ certname }, 'a compile server is back');
    entry.hasVanished = false;
    if (before !== report.state)
      this.log.info({ certname, state: report.state }, 'state of a compile server');
    const isOld = entry.savedAt === undefined || now.getTime() - entry.savedAt.getTime() > saveIntervalMs;
    if (!isSame || isOld) await this.save(certname, entry);
    this.tellWatchers();
    return { leave: entry.leaveOrder !== undefined };
  }

  /**
   * Tells a server to leave, with the answer to its next check-in or the one that waits. The order is stored first, so that it
   * holds whatever ends in between. The first order counts.
   *
   * @param cause - in words, for the log
   */
  async orderToLeave(certname: string, cause: string): Promise<void> {
    const entry = this.entries.get(certname);
    if (entry === undefined || entry.leaveOrder !== undefined) return;
    const order = { at: this.now(), cause };
    await this.store.saveLeaveOrder(certname, order);
    entry.leaveOrder = order;
    this.log.info({ certname, cause }, 'a compile server is ordered to leave');
    this.tellWatchers();
  }

  /** Takes that back. */
  async letStay(certname: string): Promise<void> {
    const entry = this.entries.get(certname);
    await this.store.saveLeaveOrder(certname, undefined);
    if (entry !== undefined) entry.leaveOrder = undefined;
  }

  /** Servers whose certificates somebody revoked have left. */
  async forgetRevoked(isRevoked: (serial: string) => boolean): Promise<void> {
    for (const [certname, { leaveOrder, serial }] of this.entries)
      if (leaveOrder === undefined && serial !== undefined && isRevoked(serial)) await this.forget(certname);
  }

  /** Servers that have lost their rights, and go on as nodes: their certificates and their other groups stay. */
  async dismiss(hasRights: (certname: string, serial: string) => Promise<boolean>): Promise<void> {
    for (const [certname, { leaveOrder, serial }] of this.entries)
      if (leaveOrder === undefined && serial !== undefined && !(await hasRights(certname, serial)))
        await this.remove(certname);
  }

  async forget(certname: string): Promise<void> {
    // Before it is forgotten: who asks again after a failure finds it there.
    await this.groups?.unpin(certname);
    await this.remove(certname);
  }

  /** Logs, once, who has vanished. To be called every few seconds. */
  noteVanished(): void {
    for (const server of this.all()) {
      const entry = this.entries.get(server.certname);
      if (entry === undefined || entry.hasVanished || this.stateOf(server) !== 'unreachable') continue;
      entry.hasVanished = true;
      const lastContact = server.lastContactAt?.toISOString();
      this.log.warn({ certname: server.certname, lastContact }, 'a compile server has vanished');
      this.tellWatchers();
    }
  }

  /** Resolves when something is true, which is looked at with each change, or after `timeoutMs`. @returns whether it is */
  async until(isTrue: () => boolean, timeoutMs: number, signal?: AbortSignal): Promise<boolean> {
    if (isTrue() || signal?.aborted === true) return isTrue();
    await new Promise<void>((resolve) => {
      const done = () => {
        clearTimeout(timer);
        clearInterval(clock);
        this.watchers.delete(look);
        signal?.removeEventListener('abort', done);
        resolve();
      };
      const look = () => {
        if (isTrue()) done();
      };
      const timer = setTimeout(done, timeoutMs);
      // Some things become true by time alone.
      const clock = setInterval(look, 1000);
      this.watchers.add(look);
      signal?.addEventListener('abort', done);
    });
    return isTrue();
  }

  private async remove(certname: string): Promise<void> {
    const wasKnown = this.entries.delete(certname);
    await this.store.removeServer(certname);
    this.onForgotten(certname);
    this.tellWatchers();
    if (wasKnown) this.log.info({ certname }, 'forgot a compile server');
  }

  private add(certname: string): Entry {
    const entry: Entry = {
      serial: undefined,
      joinedAt: this.now(),
      lastContactAt: undefined,
      heardMs: this.elapsedMs(),
      savedAt: undefined,
      report: undefined,
      leaveOrder: undefined,
      hasVanished: false,
      isAdmitted: false,
    };
    this.entries.set(certname, entry);
    return entry;
  }

  private async save(certname: string, entry: Entry): Promise<void> {
    const { joinedAt, lastContactAt, report, serial } = entry;
    entry.savedAt = this.now();
    const lastReport = report === undefined ? undefined : JSON.stringify(report);
    await this.store.saveServer({ certname, serial, joinedAt, lastContactAt, lastReport });
  }

  private tellWatchers(): void {
    for (const look of this.watchers) look();
  }
}

/** What a server served is passed on, and not remembered with it. */
function withoutRuns({ work, ...report }: CheckIn): CheckIn {
  return work === undefined ? report : { ...report, work: { ...work, runs: [] } };
}
