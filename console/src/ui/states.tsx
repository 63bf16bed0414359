/** What stands where data would: not there yet, nothing there, not to be had. */

import { CircleAlert, Inbox } from 'lucide-react';
import type { ReactElement, ReactNode } from 'react';
import { Button } from './button.tsx';
import styles from './states.module.css';

/** Outlines of rows; they become visible after a moment, so that what is quick does not flicker. */
export function LoadingRows({
  label,
  rows = 6,
}: {
  readonly label: string;
  readonly rows?: number;
}): ReactElement {
  return (
    <div className={styles.loading} role="status" aria-busy="true">
      <span className="visually-hidden">{label}</span>
      {Array.from({ length: rows }, (_, index) => (
        <span key={index} className={styles.outline} />
      ))}
    </div>
  );
}

interface EmptyProps {
  readonly title: string;
  /** What to do about it. */
  readonly children?: ReactNode;
}

export function Empty({ children, title }: EmptyProps): ReactElement {
  return (
    <div className={styles.state}>
      <Inbox size={20} aria-hidden />
      <p className={styles.title}>{title}</p>
      {children === undefined ? undefined : <div className={styles.text}>{children}</div>}
    </div>
  );
}

interface FailureProps {
  /** What could not be done: `The nodes can’t be shown`. */
  readonly title: string;
  readonly error: unknown;
  readonly onRetry?: () => void;
}

export function Failure({ error, onRetry, title }: FailureProps): ReactElement {
  if (isForbidden(error)) return <Empty title="You may not see this">{error.message}</Empty>;
  return (
    <div className={`${styles.state} ${styles.failure}`} role="alert">
      <CircleAlert size={20} aria-hidden />
      <p className={styles.title}>{title}</p>
      <p className={styles.text}>{error instanceof Error ? error.message : String(error)}</p>
      {onRetry === undefined ? undefined : <Button onPress={onRetry}>Try again</Button>}
    </div>
  );
}

/** That asking again would not help: it takes another role. */
function isForbidden(error: unknown): error is Error {
  return error instanceof Error && 'status' in error && error.status === 403;
}
