/** How many nodes something reaches, before it runs. */

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { readReach } from '../../api/jobs.ts';
import { nodesText } from '../../lib/jobs.ts';
import { type Reach, reachText, type Scope } from '../../lib/targets.ts';
import { visibleText } from '../../lib/visible-text.ts';
import { useSettled } from '../../ui/use-settled.ts';
import styles from './run.module.css';

const shownNames = 8;

interface Reached {
  /** Of the scope as it is now; `undefined` while it is counted, and without a scope. */
  readonly reach: Reach | undefined;
  readonly error: Error | null;
}

/** @param task - leaves out nodes on which the user may not run it */
export function useReach(scope: Scope | undefined, task?: string): Reached {
  const text = scope === undefined ? '' : JSON.stringify(scope);
  const settled = useSettled(text);
  const { data, error, isPlaceholderData } = useQuery({
    queryKey: ['orchestrator', 'targets', settled, task],
    queryFn: ({ signal }) =>
      readReach(
        {
          scope: JSON.parse(settled) as Scope,
          limit: shownNames,
          ...(task === undefined ? {} : { task }),
        },
        signal,
      ),
    enabled: settled !== '',
    placeholderData: keepPreviousData,
    retry: false,
  });
  const isCurrent = settled === text && settled !== '' && !isPlaceholderData;
  return { reach: isCurrent ? data : undefined, error: isCurrent ? error : null };
}

export function ReachLine({ error, reach }: Reached): ReactElement {
  const names = reach?.levels.flatMap(({ nodes }) => nodes.slice(0, shownNames)) ?? [];
  return (
    <div role="status" className={styles.reach}>
      {error === null ? undefined : <p className={styles.mistake}>{visibleText(error.message)}</p>}
      {reach === undefined ? undefined : (
        <>
          <p className={reach.total === 0 || reach.connected < reach.total ? styles.warning : styles.total}>
            {visibleText(reachText(reach))}
          </p>
          {names.length === 0 ? undefined : (
            <p className={styles.names}>
              {names.map(({ name }) => visibleText(name)).join(', ')}
              {reach.total > names.length ? ` and ${nodesText(reach.total - names.length)} more` : ''}
            </p>
          )}
        </>
      )}
    </div>
  );
}
