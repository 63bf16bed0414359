/**
 * Questions to PuppetDB in the middle of a compile: the worker waits without an event loop, the main thread asks. The
 * worker's end of the compile's time ends the wait, too: its thread is ended.
 */

import { ServiceError } from '../../lib/service-error.ts';
import { answerBlocking, askBlocking, type BlockingLink } from '../../platform/threads/index.ts';
import type { PuppetDbTerminus } from './termini.ts';

/** The worker's end. Pass it in `workerData`, and its port in `transferList` as well. */
export interface PuppetDbLink extends BlockingLink {
  /** Whether resources are exported and collected. */
  readonly collectsExported: boolean;
}

/** The query is JSON: the AST of resources, or what `puppetdb_query` was given. */
export interface PuppetDbQuestion {
  readonly kind: 'resources' | 'query';
  readonly query: string;
}

export type PuppetDbAnswer =
  | { readonly kind: 'rows'; readonly text: string }
  | { readonly kind: 'failed'; readonly message: string };

/** In the main thread, for one worker. What is asked is given up when the worker ends. */
export function connectPuppetDb(terminus: PuppetDbTerminus): PuppetDbLink {
  const link = answerBlocking((question: PuppetDbQuestion, ended) => answer(terminus, question, ended));
  return { ...link, collectsExported: terminus.findResources !== undefined };
}

/** Never rejects: the worker waits for the answer, bugs included. */
async function answer(
  terminus: PuppetDbTerminus,
  { kind, query }: PuppetDbQuestion,
  signal: AbortSignal,
): Promise<PuppetDbAnswer> {
  try {
    const ask = kind === 'resources' ? terminus.findResources : terminus.query;
    return { kind: 'rows', text: (await ask?.(query, signal)) ?? '[]' };
  } catch (error) {
    return { kind: 'failed', message: error instanceof Error ? error.message : String(error) };
  }
}

/** In the worker: waits for the rows, as JSON text. @throws ServiceError in the words that the compile fails with */
export function askPuppetDb(link: BlockingLink, question: PuppetDbQuestion): string {
  const received = askBlocking<PuppetDbQuestion, PuppetDbAnswer>(link, question);
  if (received?.kind === 'rows') return received.text;
  throw new ServiceError('unavailable', received?.message ?? 'PuppetDB gave no answer');
}
