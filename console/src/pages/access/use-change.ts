/** Something that is changed on the server: once at a time, with its failure, and everything shown anew after it. */

import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';

interface Changing {
  readonly isBusy: boolean;
  readonly failure: unknown;
  /** @returns whether it was done */
  readonly run: (work: () => Promise<unknown>) => Promise<boolean>;
}

export function useChange(): Changing {
  const queries = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const run = useCallback(
    async (work: () => Promise<unknown>) => {
      setFailure(undefined);
      setBusy(true);
      try {
        await work();
        await queries.invalidateQueries({ queryKey: ['rbac'] });
        return true;
      } catch (error) {
        setFailure(error);
        return false;
      } finally {
        setBusy(false);
      }
    },
    [queries],
  );
  return { isBusy, failure, run };
}
