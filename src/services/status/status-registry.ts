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
}

export class StatusRegistry {
  private readonly providers = new Map<string, StatusProvider>();
  private readonly log: Logger;

  constructor(log: Logger) {
    this.log = log;
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
    };
  }

  private async guarded(
    name: string,
    provider: StatusProvider,
    level: DetailLevel,
    timeoutSeconds: number,
  ): Promise<ServiceStatus> {
    try {
      const answer = provider.read(level);
      return answer instanceof Promise ? await withTimeout(answer, timeoutSeconds) : answer;
    } catch (err) {
      this.log.error({ err, service: name }, 'status check failed');
      return { state: 'unknown', status: `Status check for ${name} threw an exception: ${String(err)}` };
    }
  }

  /** The state of the whole. */
  async state(): Promise<ServiceState> {
    const answers = await this.readAll('critical', 30);
    return worstState(Array.from(answers.values(), ({ state }) => state));
  }
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
