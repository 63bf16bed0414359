/** The messages between a `RequestThread` and the thread that serves its requests. */

import type { FailureMessage } from './failure-message.ts';

export type ToThread =
  | { readonly kind: 'request'; readonly id: number; readonly request: unknown }
  /** The reader of a streamed answer has room for one more part. */
  | { readonly kind: 'more'; readonly id: number }
  | { readonly kind: 'cancel'; readonly id: number }
  | { readonly kind: 'close'; readonly id: number };

export type FromThread =
  | { readonly kind: 'done'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'failure'; readonly id: number; readonly failure: FailureMessage }
  /** The beginning of an answer in parts. */
  | { readonly kind: 'stream'; readonly id: number; readonly head: unknown }
  | { readonly kind: 'part'; readonly id: number; readonly bytes: Uint8Array }
  | { readonly kind: 'end'; readonly id: number }
  /** Sent by the thread on its own, not as a reply. */
  | { readonly kind: 'notice'; readonly notice: unknown };

/** How many parts are sent at most before the reader says that it has read one. */
export const partsInFlight = 4;
