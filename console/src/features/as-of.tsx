/** How old what is shown is, and that an error has not removed it. */

import type { ReactElement } from 'react';
import { clockTime } from '../lib/time.ts';
import { Button } from '../ui/button.tsx';
import styles from './as-of.module.css';
import { useLive } from './live.ts';
import type { ListUpdates } from './long-lists.ts';

interface AsOfProps {
  readonly query: {
    readonly dataUpdatedAt: number;
    readonly isFetching: boolean;
    /** The last attempt to read it again has failed. */
    readonly isRefetchError: boolean;
    readonly refetch: () => Promise<unknown>;
  };
  /** When the server has counted it, in milliseconds since 1970; when it came if absent. */
  readonly countedAt?: number;
  /** Of a list that does not change by itself when it is long. */
  readonly updates?: ListUpdates;
}

export function AsOf({ countedAt, query, updates }: AsOfProps): ReactElement | undefined {
  const { dataUpdatedAt, isFetching, isRefetchError: isStale, refetch } = query;
  const isLive = useLive();
  if (dataUpdatedAt === 0) return undefined;
  const time = clockTime(new Date(countedAt ?? dataUpdatedAt));
  if (updates?.hasUpdates === true)
    return (
      <span className={styles.asOf}>
        <span>As of {time}</span>
        <Button onPress={updates.show}>Show updates</Button>
      </span>
    );
  return (
    <span className={`${styles.asOf} ${isStale ? styles.stale : ''}`}>
      {isLive && !isStale ? (
        <span className={styles.live} title={`As of ${time}`}>
          Live
        </span>
      ) : (
        <span>{isStale ? `Out of date: as of ${time}` : `As of ${time}`}</span>
      )}
      <Button look="quiet" onPress={() => void refetch()} isDisabled={isFetching}>
        Refresh
      </Button>
    </span>
  );
}
