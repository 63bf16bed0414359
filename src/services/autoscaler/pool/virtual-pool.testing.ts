/**
 * A primary, a platform and servers in virtual time. The controller is the real one; what is around it does what the real ones do: a driver that
 * starts processes, a register that forgets silent servers never, servers that join, serve, reboot, drain and die.
 *
 * The primary may be killed between any two things that it does. It comes back with what was stored.
 */

import type { Instance } from '../drivers/driver.ts';
import { control, type PoolSeen, type PoolState, restoredState } from './control.ts';
import type { Effect } from './lifecycle.ts';
import { isInContact, type Member, type ServerFact } from './member.ts';

interface Entry {
  state: 'joining' | 'starting' | 'running' | 'stopped' | 'drained';
  heardMs: number;
  isOrdered: boolean;
}

/** An instance with its process. */
interface Machine {
  readonly key: string;
  readonly certname: string;
  /** `off`: it exists and nothing runs. */
  process: 'off' | 'booting' | 'starting' | 'running' | 'draining';
  untilMs: number;
  hasKey: boolean;
}

export interface VirtualOptions {
  /** Between 0 and 1, the same for the same seed. */
  readonly random: () => number;
  /** How probable it is that the primary is killed after any one thing that it does. */
  readonly killing: number;
  /** A process that ends is started by its machine again, as by systemd; else only by the driver. */
  readonly restarts: boolean;
}

const options = {
  countedBy: 'primary',
  lostTimeoutMs: undefined,
  assumedLeadMs: 10_000,
  leastLeadMs: 0,
} as const;
const [lookMs, decideMs] = [2000, 10_000];
const primaryRestMs = 5000;
const vanishedMs = 10_000;

export class VirtualPool {
  nowMs = 0;
  servers = 3;
  readonly machines = new Map<string, Machine>();
  readonly register = new Map<string, Entry>();
  readonly certificates = new Set<string>();
  readonly stored = new Map<string, Member>();
  /** Certificates that were revoked. */
  readonly revoked = new Set<string>();
  primaryKills = 0;
  /** Orders for which the driver made a second instance. */
  doubles = 0;
  isKilling = true;
  private readonly options: VirtualOptions;
  private state: PoolState | undefined;
  private startedMs = 0;
  private readonly forgotten = new Set<string>();
  private readonly granted = new Set<string>();
  private readonly made = new Set<string>();
  private nextKey = 1;

  constructor(given: VirtualOptions) {
    this.options = given;
    this.startPrimary();
  }

  get isPrimaryUp(): boolean {
    return this.state !== undefined;
  }

  /** Lets time pass, a second at a time. */
  run(ms: number): void {
    for (const endMs = this.nowMs + ms; this.nowMs < endMs; ) {
      this.nowMs += 1000;
      if (this.state === undefined && this.nowMs - this.startedMs >= 0) this.startPrimary();
      for (const machine of this.machines.values()) this.live(machine);
      if (this.state === undefined) continue;
      this.completeDepartures();
      if (this.nowMs % lookMs === 0) this.look(this.nowMs % decideMs === 0);
    }
  }

  killPrimary(): void {
    if (this.state === undefined) return;
    this.primaryKills += 1;
    this.state = undefined;
    this.forgotten.clear();
    this.granted.clear();
    this.startedMs = this.nowMs + primaryRestMs;
  }

  /** SIGTERM without an order. */
  reboot(machine: Machine): void {
    const entry = this.register.get(machine.certname);
    if (machine.process === 'draining' || machine.process === 'off') return;
    machine.process = 'off';
    machine.untilMs = this.nowMs + 1000 + this.options.random() * 30_000;
    if (this.isPrimaryUp && entry !== undefined && this.certificates.has(machine.certname))
      entry.state = 'stopped';
  }

  killServer(machine: Machine): void {
    machine.process = 'off';
    machine.untilMs = this.nowMs + 1000 + this.options.random() * 30_000;
  }

  /** The platform takes an instance away without a word. */
  loseMachine(machine: Machine): void {
    this.machines.delete(machine.key);
  }

  /** A person's order. @returns whether it was accepted */
  order(certname: string): boolean {
    const entry = this.register.get(certname);
    if (!this.isPrimaryUp || entry === undefined || !isInContact(this.factOf(certname, entry))) return false;
    entry.isOrdered = true;
    return true;
  }

  /** What should not be: instances, certificates and members that belong to nothing. */
  orphans(): readonly string[] {
    const keys = new Set(this.stored.keys());
    const names = new Set(Array.from(this.stored.values(), ({ certname }) => certname));
    return [
      ...[...this.machines.keys()].filter((key) => !keys.has(key)).map((key) => `instance ${key}`),
      ...[...this.certificates].filter((name) => !names.has(name)).map((name) => `certificate ${name}`),
      ...[...this.register.keys()].filter((name) => !names.has(name)).map((name) => `server ${name}`),
      ...[...this.stored.values()]
        .filter(({ certname, key }) => !this.machines.has(key) || !this.certificates.has(certname))
        .map(({ key, state }) => `member ${key}, ${state}`),
    ];
  }

  private startPrimary(): void {
    this.state = restoredState([...this.stored.values()], this.nowMs);
    this.startedMs = this.nowMs;
    for (const entry of this.register.values()) entry.heardMs = this.nowMs;
  }

  /** @returns whether the primary is still there */
  private survives(): boolean {
    if (!this.isKilling || this.options.random() >= this.options.killing) return this.isPrimaryUp;
    this.killPrimary();
    return false;
  }

  private look(isDeciding: boolean): void {
    if (this.state === undefined) return;
    const seen: PoolSeen = {
      nowMs: this.nowMs,
      at: String(this.nowMs),
      servers: Array.from(this.register, ([certname, entry]) => this.factOf(certname, entry)),
      instances: Array.from(
        this.machines.values(),
        ({ certname, key, process }): Instance => ({
          id: key,
          orderId: key,
          certname,
          state: process === 'off' ? 'stopped' : 'running',
        }),
      ),
      granted: this.granted,
      failures: new Map(),
      forgotten: this.forgotten,
      rule: isDeciding ? this.situation() : undefined,
    };
    const step = control(this.state, seen, {
      ...options,
      random: this.options.random,
      newKey: () => `k${this.nextKey++}`,
      certnameOf: (key) => `${key}.test`,
    });
    if (!this.survives()) return;
    for (const { key } of step.gone) this.stored.delete(key);
    for (const member of step.state.members.values()) this.stored.set(member.key, member);
    this.state = step.state;
    for (const effect of step.effects) {
      if (!this.survives()) return;
      this.carryOut(effect);
    }
    this.survives();
  }

  private situation(): NonNullable<PoolSeen['rule']> {
    const known = { planned: 0, isPlanTrusted: true, capacity: 0, capacityUsed: 0, demandWorkers: 0 };
    return {
      demand: { ...known, work: 0, backlog: 0, need: this.servers * 2 },
      workersPerServer: 2,
      limits: { min: 1, max: 20, spare: 0 },
      sinceDeployMs: undefined,
      uptimeMs: Number.POSITIVE_INFINITY,
      lost: 0,
      silentShare: 0,
      isPaused: false,
      isIncomplete: false,
    };
  }

  private carryOut(effect: Effect): void {
    if (effect.kind === 'launch') return this.launch(effect.order.id, effect.order.certname);
    if (effect.kind === 'end') return void this.machines.delete(effect.instance);
    if (effect.kind === 'leave') {
      const entry = this.register.get(effect.certname);
      if (entry !== undefined) entry.isOrdered = true;
      return;
    }
    if (this.removeTraces(effect.certname)) this.forgotten.add(effect.key);
  }

  private launch(key: string, certname: string): void {
    const there = this.machines.get(key);
    if (there !== undefined) {
      if (there.process === 'off') there.process = 'booting';
      there.untilMs = this.nowMs + 1000;
      return;
    }
    if (this.made.has(key) && this.register.has(certname)) this.doubles += 1;
    this.made.add(key);
    const untilMs = this.nowMs + 1000 + this.options.random() * 3000;
    this.machines.set(key, { key, certname, process: 'booting', untilMs, hasKey: false });
  }

  /** Step by step, each of which may be the last. @returns whether all were done */
  private removeTraces(certname: string): boolean {
    if (this.certificates.delete(certname)) this.revoked.add(certname);
    if (!this.survives()) return false;
    this.register.delete(certname);
    return this.survives();
  }

  private completeDepartures(): void {
    for (const [certname, entry] of this.register) {
      if (!entry.isOrdered) continue;
      const { silentMs, state } = this.factOf(certname, entry);
      const hasEnded =
        state === 'drained' || state === 'stopped' || (state === 'unreachable' && silentMs >= 120_000);
      if (hasEnded && !this.removeTraces(certname)) return;
    }
  }

  private factOf(certname: string, { heardMs, isOrdered, state }: Entry): ServerFact {
    const silentMs = this.nowMs - heardMs;
    const said = isOrdered ? 'leaving' : state;
    const isSilent = silentMs >= vanishedMs && state !== 'joining';
    const shown = state === 'stopped' || state === 'drained' ? state : isSilent ? 'unreachable' : said;
    const phases = {
      joining: 'warming',
      starting: 'warming',
      running: 'serving',
      leaving: 'draining',
      unreachable: 'lost',
    } as const;
    const phase = shown === 'stopped' || shown === 'drained' ? undefined : phases[shown];
    return { certname, state: shown, phase, isOrderedToLeave: isOrdered, undelivered: 0, silentMs };
  }

  /** What a process does in a second. */
  private live(machine: Machine): void {
    const { certname } = machine;
    const isDue = this.nowMs >= machine.untilMs;
    if (machine.process === 'off') {
      if (this.options.restarts && machine.hasKey && isDue) machine.process = 'starting';
      return;
    }
    if (machine.process === 'booting' && isDue && this.isPrimaryUp) {
      if (!machine.hasKey) {
        this.certificates.add(certname);
        this.register.set(certname, { state: 'joining', heardMs: this.nowMs, isOrdered: false });
        this.granted.add(certname);
      }
      machine.hasKey = true;
      machine.process = 'starting';
      machine.untilMs = this.nowMs + 1000;
      return;
    }
    if (machine.process === 'starting' && isDue) machine.process = 'running';
    const entry = this.register.get(certname);
    if (!this.isPrimaryUp || entry === undefined || machine.process === 'booting')
      return this.drain(machine, undefined);
    entry.heardMs = this.nowMs;
    if (machine.process !== 'draining') entry.state = machine.process;
    this.drain(machine, entry);
  }

  private drain(machine: Machine, entry: Entry | undefined): void {
    if (machine.process === 'draining') {
      if (this.nowMs < machine.untilMs) return;
      machine.process = 'off';
      machine.hasKey = false;
      // The last word is lost when the primary is away.
      if (entry !== undefined) entry.state = 'drained';
      return;
    }
    if (entry?.isOrdered !== true) return;
    machine.process = 'draining';
    machine.untilMs = this.nowMs + 3000;
  }
}
