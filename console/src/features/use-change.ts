/** A change on the server, one at a time, with its error. Queries on the page are refetched after it. */

import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useRecentLogin } from './log-in-again.ts';

interface Changing {
  readonly isBusy: boolean;
  readonly failure: unknown;
  /** @returns the result of the work; `undefined` when it failed */
  readonly run: <T>(work: () => Promise<T>) => Promise<{ readonly value: T } | undefined>;
}

/** @param queryKey - the start of the keys of the queries that are read again: `'orchestrator', 'schedules'` */
export function useChange(...queryKey: readonly string[]): Changing {
  const queries = useQueryClient();
  const withRecentLogin = useRecentLogin();
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const run = async <T>(work: () => Promise<T>) => {
    setFailure(undefined);
    setBusy(true);
    try {
      const value = await withRecentLogin(work);
      await queries.invalidateQueries({ queryKey });
      return { value };
    } catch (error) {
      setFailure(error);
      // The page may be out of date: the job to stop may have finished.
      void queries.invalidateQueries({ queryKey });
      return undefined;
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, failure, run };
}
