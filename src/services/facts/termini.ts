/** What the facts service needs from elsewhere. */

import type { Json } from '../../lib/json.ts';
import type { FactSet } from './wire.ts';

export interface EnvironmentTerminus {
  hasEnvironment(name: string): boolean;
}

/** What the certificate of the sender of facts proves. */
export interface TrustedInformation {
  readonly authenticated: 'remote' | 'local' | false;
  readonly certname: string;
  readonly extensions: Readonly<Record<string, string>>;
  /** What else the site knows of the node. */
  readonly external: Readonly<Record<string, Json>>;
}

/** `$trusted['external']`. */
export interface TrustedExternalTerminus {
  find(certname: string, signal: AbortSignal): Promise<Readonly<Record<string, Json>>>;
}

/** Where facts go. */
export interface FactSink {
  /** Durable when it resolves. */
  save(facts: FactSet, environment: string, trusted: TrustedInformation): Promise<void>;
}
