/** How long ago something was, with the exact time for those who look closer. */

import { type ReactElement, useEffect, useRef, useState } from 'react';
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
  const part = useRef<HTMLTimeElement>(null);
  const [isAlone, setAlone] = useState(false);
  // A link and a row of a list get the focus themselves.
  useEffect(() => setAlone(part.current?.parentElement?.closest('a, button, [role=row]') === null), [time]);
  if (time === null || time === undefined) return <span>{otherwise}</span>;
  const date = new Date(time);
  return (
    <time ref={part} dateTime={time} title={exactTime(date)} tabIndex={isAlone ? 0 : undefined}>
      {ageText(date, now)}
    </time>
  );
}
