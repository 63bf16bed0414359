/** How long ago something was, with the exact time for those who look closer. */

import type { ReactElement } from 'react';
import { ageText, exactTime } from '../lib/time.ts';
import { useNow } from './use-now.ts';

interface AgeProps {
  /** ISO; nothing has happened yet when null. */
  readonly time: string | null | undefined;
  /** What is said when nothing has happened yet; `never` when absent. */
  readonly otherwise?: string;
}

export function Age({ otherwise = 'never', time }: AgeProps): ReactElement {
  const now = useNow();
  if (time === null || time === undefined) return <span>{otherwise}</span>;
  const date = new Date(time);
  return (
    <time dateTime={time} title={exactTime(date)}>
      {ageText(date, now)}
    </time>
  );
}
