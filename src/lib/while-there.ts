/** Asking a server that may have gone away, without waiting until a time limit for large things is over. */

import { ServiceError } from './service-error.ts';

export interface WhileThereOptions {
  /** Asked once, when an answer takes long. */
  readonly isAway: () => Promise<boolean>;
  /** Who is asked, for the message. */
  readonly name: string;
  /** The client that waits for the answer; gone when aborted. */
  readonly signal?: AbortSignal;
}

/** After which a server that has not answered is looked at. */
const patienceMs = 2000;

/**
 * @param ask - ends when its signal is aborted
 * @throws what `ask` throws; ServiceError `unavailable` when the server is found away before
 */
export async function whileThere<T>(
  { isAway, name, signal }: WhileThereOptions,
  ask: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const giveUp = new AbortController();
  const look = async () => {
    if (await isAway()) giveUp.abort(new ServiceError('unavailable', `No answer from ${name}`));
  };
  const timer = setTimeout(() => void look(), patienceMs);
  try {
    return await ask(signal === undefined ? giveUp.signal : AbortSignal.any([signal, giveUp.signal]));
  } catch (error) {
    throw giveUp.signal.aborted ? giveUp.signal.reason : error;
  } finally {
    clearTimeout(timer);
  }
}
