/** What the main thread and the broker's thread say to each other. */

import type { RevokedByIssuer, TlsMaterial } from '../../../platform/http/index.ts';
import type { LogFields, LogLevel } from '../../../platform/log/index.ts';
import type { TimerFigures } from '../call-timer.ts';

export interface BrokerThreadOptions {
  /** Whose broker it is, as the inventory names it: `pcp://compile1.example.com/server`. */
  readonly uri: string;
  readonly port: number;
  readonly host: string | undefined;
  readonly tls: TlsMaterial;
  /** The text of `auth.conf` and its name; the default rules when absent. */
  readonly rules: RulesFile | undefined;
  /** Addresses whose PROXY headers are believed. */
  readonly trustedProxies: readonly string[];
  readonly maxConnections: number;
  readonly maxMessageBytes: number;
  readonly messagesPerSecond: number;
  readonly connectionsPerSecond: number;
  readonly idleTimeoutMs: number;
  readonly controllerGraceMs: number;
  /** `wss://primary.example.com:8143/server`; the broker serves only while it is connected to one of them. */
  readonly controllerUrls: readonly string[];
  /** Files for the log and the access log; empty for none. */
  readonly logFile: string;
  readonly accessLogFile: string;
  readonly isDebugging: boolean;
}

export interface RulesFile {
  readonly text: string;
  readonly file: string;
}

export type BrokerRequest =
  /** Answered when the broker has stopped. */
  | { readonly kind: 'serve'; readonly options: BrokerThreadOptions }
  | { readonly kind: 'tls'; readonly material: TlsMaterial }
  | { readonly kind: 'lists'; readonly lists: readonly RevokedByIssuer[] }
  | { readonly kind: 'rules'; readonly rules: RulesFile | undefined }
  | { readonly kind: 'attach'; readonly controller: ControllerNames }
  | { readonly kind: 'detach' }
  /** A message of the controller in this process. */
  | { readonly kind: 'message'; readonly text: string }
  /** How many bytes the controller has taken. */
  | { readonly kind: 'taken'; readonly bytes: number }
  /** Answered with `BrokerMetrics`. */
  | { readonly kind: 'metrics' }
  /** Answered when all clients have been sent away. */
  | { readonly kind: 'retire'; readonly withinMs: number }
  | { readonly kind: 'stop' };

export interface ControllerNames {
  readonly uri: string;
  readonly aliases: readonly string[];
}

export type BrokerNotice =
  | { readonly kind: 'listening'; readonly port: number }
  | { readonly kind: 'log'; readonly level: LogLevel; readonly fields: LogFields; readonly message: string }
  /** For the controller in this process. A large message is bytes, which cross threads without being copied. */
  | { readonly kind: 'message'; readonly data: string | Uint8Array }
  | ({ readonly kind: 'state' } & BrokerState);

/** What a broker has done, and what its thread uses. */
export interface BrokerMetrics {
  readonly timers: Readonly<Record<string, TimerFigures>>;
  readonly memory: {
    readonly heapUsedBytes: number;
    readonly heapBytes: number;
    readonly externalBytes: number;
  };
}

/** What is known of a broker at any time. */
export interface BrokerState {
  readonly state: 'starting' | 'running' | 'stopping' | 'error';
  readonly connections: number;
  readonly controllers: readonly string[];
}

/** What crosses threads arrives without its prototypes: the names of issuers are buffers again here. */
export function revive(lists: readonly RevokedByIssuer[]): readonly RevokedByIssuer[] {
  return lists.map((list) => ({ ...list, issuer: { ...list.issuer, raw: Buffer.from(list.issuer.raw) } }));
}
