/** Parses what an environment has, in a thread of its own. */

import type { LanguageLevel } from '../../../language/levels/index.ts';
import { runOnce } from '../../../platform/threads/index.ts';
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
  const data: SyntaxCheckData = { files: await servedFiles(directory), level, strict };
  const onEnded = () =>
    (signal.reason as Error | undefined) ?? new Error('the check of the syntax ended early');
  return await runOnce({ workerUrl, name: 'syntax', data, signal, onEnded });
}
