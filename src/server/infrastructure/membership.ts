/** A compile server as a member of the installation: it checks in, and leaves when it is told to. */

import type { HttpClient } from '../../platform/http-client/index.ts';
import type { Logger } from '../../platform/log/index.ts';
import { type RevocationList, type SslFiles } from '../../platform/x509/index.ts';
import { type CheckIn, CheckInClient } from '../../services/infrastructure/index.ts';
import { readOwnCertificate, removeIdentity } from '../../services/node-certificate/index.ts';

export interface MembershipOptions {
  readonly client: HttpClient;
  readonly primaryUrl: string;
  readonly files: SslFiles;
  readonly report: () => Promise<CheckIn>;
  /** Called with each report that the primary has accepted. */
  readonly onAccepted?: (report: CheckIn) => void;
  /** Told what a catalog takes a worker on other servers. */
  readonly onMeanCompileMs?: (durationMs: number) => void;
  /** Told what is used of all compile servers, in percent. */
  readonly onCapacityUsed?: (percent: number) => void;
  /** Told which nodes have waited for long, at any server. */
  readonly onLongWaiting?: (nodes: readonly string[]) => void;
  /** Called when this server has left, or its certificate was revoked: it is to forget secrets of the installation. */
  readonly onLeft?: () => Promise<void>;
  readonly log: Logger;
}

/** What a server that has left says of itself, to those who ask for its health. */
const revoked = 'a new certificate: its own was revoked';

export class Membership {
  private readonly options: MembershipOptions;
  private readonly checkIns: CheckInClient;
  private readonly departure = Promise.withResolvers<void>();
  private isLeaving = false;
  private isRevoked = false;
  private problem: string | undefined;

  constructor(options: MembershipOptions) {
    this.options = options;
    const { client, log, onAccepted, onCapacityUsed, onLongWaiting, onMeanCompileMs, primaryUrl, report } =
      options;
    this.checkIns = new CheckInClient({
      client,
      primaryUrl,
      report,
      ...(onAccepted === undefined ? {} : { onAccepted }),
      ...(onMeanCompileMs === undefined ? {} : { onMeanCompileMs }),
      ...(onCapacityUsed === undefined ? {} : { onCapacityUsed }),
      ...(onLongWaiting === undefined ? {} : { onLongWaiting }),
      log,
      onLeave: () => this.leave(),
      onRevoked: () => this.noteRevoked(),
      onUnderstood: (problem) => this.noteProblem(problem),
    });
  }

  start(): void {
    this.checkIns.start();
  }

  /** Resolves when this server is to drain and to end. */
  get leaving(): Promise<void> {
    return this.departure.promise;
  }

  get isToLeave(): boolean {
    return this.isLeaving;
  }

  /** Why this server cannot serve, in words. */
  get obstacle(): string | undefined {
    return this.isRevoked ? revoked : this.problem;
  }

  /** Looks for this server's own certificate: somebody may have revoked it without telling it to leave. */
  async look(lists: readonly RevocationList[]): Promise<void> {
    const { issuer, serial } = await readOwnCertificate(this.options.files.certificate);
    const isOn = (list: RevocationList) =>
      list.issuer.raw.equals(issuer.raw) && list.revokedSerials.has(serial);
    if (lists.some(isOn)) this.noteRevoked();
  }

  /** The last word; a server that leaves forgets who it was. @param isDrained - all has been delivered */
  async stop(isDrained: boolean): Promise<void> {
    await this.checkIns.stop(this.isLeaving && isDrained ? 'drained' : 'stopped');
    if (!this.isLeaving || !isDrained) return;
    await removeIdentity(this.options.files);
    await this.options.onLeft?.();
    this.options.log.info({}, 'has left the installation');
  }

  private leave(): void {
    this.isLeaving = true;
    this.options.log.info({}, 'is told to leave: draining');
    this.departure.resolve();
  }

  /** Of a primary that is too old or too new. */
  private noteProblem(problem: string | undefined): void {
    if (problem !== undefined && this.problem === undefined)
      this.options.log.error({ reason: problem }, 'this server and the primary do not understand each other');
    this.problem = problem;
  }

  private noteRevoked(): void {
    if (this.isRevoked || this.isLeaving) return;
    this.isRevoked = true;
    this.options.log.error(
      {},
      "certificate of this server was revoked: it has left. 'bunraku compile-server join' brings it back",
    );
    void this.options.onLeft?.().catch((err) => this.options.log.error({ err }, 'could not forget secrets'));
  }
}
