/** A change on the server: once at a time, with its failure; what is shown is read again after it. */

import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

interface Changing {
  readonly isBusy: boolean;
  readonly failure: unknown;
  /** @returns what the work returned; `undefined` when it failed */
  readonly run: <T>(work: () => Promise<T>) => Promise<{ readonly value: T } | undefined>;
}

/** @param queryKey - the start of the keys of the queries that are read again: `'orchestrator', 'schedules'` */
export function useChange(...queryKey: readonly string[]): Changing {
  const queries = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const run = async <T>(work: () => Promise<T>) => {
    setFailure(undefined);
    setBusy(true);
    try {
      const value = await work();
      await queries.invalidateQueries({ queryKey });
      return { value };
    } catch (error) {
      setFailure(error);
      // Someone else may have changed what is shown: a job that should be stopped has ended.
      void queries.invalidateQueries({ queryKey });
      return undefined;
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, failure, run };
}
