/** The services of this server and what they say of themselves. */

import type { Logger } from '../../platform/log/index.ts';
import {
  type DetailLevel,
  type ServiceState,
  type ServiceStatus,
  type StatusProvider,
  worstState,
} from './service-status.ts';

/** One service's answer. */
export interface ReportedStatus extends Required<ServiceStatus> {
  readonly version: string;
  readonly statusVersion: number;
  readonly level: DetailLevel;
  readonly isApart: boolean;
}

/** How long details are shown again: everybody may ask for them, and they take a while to collect. */
const detailsAgeMs = 1000;

interface Collected {
  readonly answer: ServiceStatus | Promise<ServiceStatus>;
  readonly atMs: number;
}

export class StatusRegistry {
  private readonly collected = new WeakMap<StatusProvider, Map<DetailLevel, Collected>>();
  private readonly nowMs: () => number;
  private readonly providers = new Map<string, StatusProvider>();
  private readonly log: Logger;

  /** @param nowMs - of a clock that only goes forward */
  constructor(log: Logger, nowMs: () => number = () => performance.now()) {
    this.log = log;
    this.nowMs = nowMs;
  }

  /** @throws Error when a name is taken */
  register(provider: StatusProvider): void {
    for (const name of provider.names) {
      if (this.providers.has(name)) throw new Error(`Service function already exists for service ${name}`);
      this.providers.set(name, provider);
    }
  }

  find(name: string): StatusProvider | undefined {
    return this.providers.get(name);
  }

  /** By name, in the order of registration; a provider is asked once, however many names it has. */
  async readAll(level: DetailLevel, timeoutSeconds: number): Promise<ReadonlyMap<string, ReportedStatus>> {
    const asked = new Map<StatusProvider, Promise<ReportedStatus>>();
    const answers = Array.from(
      this.providers,
      async ([name, provider]): Promise<[string, ReportedStatus]> => {
        const answer = asked.get(provider) ?? this.read(name, provider, level, timeoutSeconds);
        asked.set(provider, answer);
        return [name, await answer];
      },
    );
    return new Map(await Promise.all(answers));
  }

  /** Never rejects: a provider that fails or takes too long is `unknown`. */
  async read(
    name: string,
    provider: StatusProvider,
    level: DetailLevel,
    timeoutSeconds: number,
  ): Promise<ReportedStatus> {
    const { state, status = {}, alerts = [] } = await this.guarded(name, provider, level, timeoutSeconds);
    return {
      version: provider.version,
      statusVersion: provider.statusVersion ?? 1,
      level,
      state,
      status,
      alerts,
      isApart: provider.isApart === true,
    };
  }

  private async guarded(
    name: string,
    provider: StatusProvider,
    level: DetailLevel,
    timeoutSeconds: number,
  ): Promise<ServiceStatus> {
    try {
      const answer = this.collect(provider, level);
      return answer instanceof Promise ? await withTimeout(answer, timeoutSeconds) : answer;
    } catch (err) {
      this.log.error({ err, service: name }, 'status check failed');
      return { state: 'unknown', status: `Status check for ${name} threw an exception: ${String(err)}` };
    }
  }

  /** States alone are always those of now: load balancers go by them. */
  private collect(provider: StatusProvider, level: DetailLevel): Collected['answer'] {
    if (level === 'critical') return provider.read(level);
    const levels = this.collected.get(provider) ?? new Map<DetailLevel, Collected>();
    this.collected.set(provider, levels);
    const last = levels.get(level);
    const nowMs = this.nowMs();
    if (last !== undefined && nowMs - last.atMs < detailsAgeMs) return last.answer;
    const answer = provider.read(level);
    levels.set(level, { answer, atMs: nowMs });
    return answer;
  }

  /** The state of the whole. */
  async state(): Promise<ServiceState> {
    const answers = await this.readAll('critical', 30);
    return worstState(statesOfServer(answers.values()));
  }
}

/** The states that make up that of the server. */
export function statesOfServer(answers: Iterable<ReportedStatus>): readonly ServiceState[] {
  return Array.from(answers).flatMap(({ isApart, state }) => (isApart ? [] : [state]));
}

async function withTimeout(answer: Promise<ServiceStatus>, timeoutSeconds: number): Promise<ServiceStatus> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<ServiceStatus>((resolve) => {
    const status = `Status check timed out after ${timeoutSeconds} seconds`;
    timer = setTimeout(() => resolve({ state: 'unknown', status }), timeoutSeconds * 1000);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
