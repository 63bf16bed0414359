/** What a server and the process that starts programs for it say to each other, each message one of Node's channel. */

import type { ProcessOptions } from './running-process.ts';

export type LauncherRequest =
  | {
      readonly kind: 'start';
      readonly id: number;
      readonly command: string;
      readonly args: readonly string[];
      readonly options: Pick<ProcessOptions, 'environment' | 'directory' | 'isOwnGroup'>;
    }
  | { readonly kind: 'kill'; readonly id: number };

export type LauncherAnswer =
  | { readonly kind: 'ready' }
  | { readonly kind: 'started'; readonly id: number; readonly pid: number }
  | { readonly kind: 'failed'; readonly id: number; readonly error: SystemError }
  | {
      readonly kind: 'exited';
      readonly id: number;
      readonly code: number | null;
      readonly signal: NodeJS.Signals | null;
    };

/** Why a program could not be started. */
export interface SystemError {
  readonly message: string;
  readonly code?: string | undefined;
  readonly syscall?: string | undefined;
  readonly path?: string | undefined;
}

/** A program's standard input, output and error output, in this order. */
export const streamCount = 3;

/** The first bytes on a connection: which program's which stream it is. */
export const connectionHeadBytes = 8;

export function connectionHead(id: number, stream: number): Buffer {
  const head = Buffer.alloc(connectionHeadBytes);
  head.writeUInt32BE(id, 0);
  head.writeUInt32BE(stream, 4);
  return head;
}
