/** What the main thread and the thread of the health port say to each other. */

import type { ServiceState } from './service-status.ts';

export interface HealthThreadOptions {
  readonly port: number;
  readonly host: string | undefined;
  /** After which what the main thread said last counts no more. */
  readonly staleAfterMs: number;
}

export type ToHealthThread =
  /** By name of service. */
  | {
      readonly kind: 'states';
      readonly states: Readonly<Record<string, ServiceState>>;
      /** Those that do not count for the state of the server. */
      readonly apart: readonly string[];
    }
  | ({ readonly kind: 'answer'; readonly id: number } & PlainAnswer)
  | { readonly kind: 'close' };

export type FromHealthThread =
  | { readonly kind: 'listening'; readonly port: number }
  | { readonly kind: 'failed'; readonly code: string | undefined; readonly message: string }
  /** A health check was answered; said at most once a second. */
  | { readonly kind: 'asked' }
  /** Something that is not known here. */
  | { readonly kind: 'question'; readonly id: number; readonly url: string };

export interface PlainAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}
