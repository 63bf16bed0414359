/** Parses what an environment has, in a thread of its own. */

import { Worker } from 'node:worker_threads';
import type { LanguageLevel } from '../../../language/levels/index.ts';
import { type ServedFile, servedFiles } from './served-files.ts';

/** What the thread is given. */
export interface SyntaxCheckData {
  readonly files: readonly ServedFile[];
  /** As the setting `strict`. */
  readonly strict: 'off' | 'warning' | 'error';
  readonly level: LanguageLevel;
}

export interface SyntaxCheckOptions {
  readonly directory: string;
  readonly strict: SyntaxCheckData['strict'];
  readonly level: LanguageLevel;
  /** The thread's file. */
  readonly workerUrl: URL;
  readonly signal: AbortSignal;
}

/** @returns each mistake with its place, in the words of the parser */
export async function checkSyntax(options: SyntaxCheckOptions): Promise<readonly string[]> {
  const { directory, level, signal, strict, workerUrl } = options;
  const workerData: SyntaxCheckData = { files: await servedFiles(directory), level, strict };
  const worker = new Worker(workerUrl, { workerData });
  const onAbort = () => void worker.terminate();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await new Promise<readonly string[]>((resolve, reject) => {
      worker.once('message', (findings: readonly string[]) => resolve(findings));
      worker.once('error', reject);
      worker.once('exit', () =>
        reject((signal.reason as Error | undefined) ?? new Error('the check of the syntax ended early')),
      );
    });
  } finally {
    signal.removeEventListener('abort', onAbort);
    await worker.terminate();
  }
}
