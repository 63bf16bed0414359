/** What a service says of itself. */

import { ServiceError } from '../../lib/service-error.ts';

/** The worst first: the first that any service has is the state of the whole. */
const serviceStates = ['error', 'unknown', 'stopping', 'starting', 'running'] as const;

export type ServiceState = (typeof serviceStates)[number];

const detailLevels = ['critical', 'info', 'debug'] as const;

export type DetailLevel = (typeof detailLevels)[number];

export interface Alert {
  readonly severity: 'error' | 'warning' | 'info';
  readonly message: string;
}

export interface ServiceStatus {
  readonly state: ServiceState;
  /** Anything that JSON has a form for; more of it at higher levels. */
  readonly status?: unknown;
  readonly alerts?: readonly Alert[];
}

/** Registers one service. */
export interface StatusProvider {
  /** `server`, `ca`; a service may be registered under several names. */
  readonly names: readonly string[];
  readonly version: string;
  /** Of the form of `status`; 1 when absent. */
  readonly statusVersion?: number;
  /**
   * Its state is shown, but it does not count for that of the server: the port is another one, and what balances that asks for
   * the service by its name.
   */
  readonly isApart?: boolean;
  /** At `critical` it must answer at once, from what is known. */
  readonly read: (level: DetailLevel) => ServiceStatus | Promise<ServiceStatus>;
}

/** The worst state present; `unknown` when there is none. */
export function worstState(states: readonly ServiceState[]): ServiceState {
  return serviceStates.find((state) => states.includes(state)) ?? 'unknown';
}

/** @throws ServiceError `bad-request` for a level that does not exist */
export function parseLevel(text: string | null): DetailLevel {
  const level = text === null ? 'info' : detailLevels.find((known) => known === text);
  if (level !== undefined) return level;
  throw new ServiceError('bad-request', `Invalid level: :${text}`, { kind: 'data-invalid' });
}
