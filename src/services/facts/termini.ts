/** What the facts service needs from elsewhere. */

import type { FactSet } from './wire.ts';

export interface EnvironmentTerminus {
  hasEnvironment(name: string): boolean;
}

/** Where facts go. */
export interface FactSink {
  /** Durable when it resolves. */
  save(facts: FactSet, environment: string): Promise<void>;
}
