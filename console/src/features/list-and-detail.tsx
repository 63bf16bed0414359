/** A list on the left and one of it on the right; on a phone one of both. */

import type { ReactElement, ReactNode } from 'react';
import styles from './list-and-detail.module.css';

interface ListAndDetailProps {
  readonly list: ReactNode;
  readonly detail: ReactNode;
  /** Whether one is chosen: then a phone shows it, and else the list. */
  readonly isChosen: boolean;
  /** Leads from one to the list, on a phone. */
  readonly back: ReactNode;
}

export function ListAndDetail({ back, detail, isChosen, list }: ListAndDetailProps): ReactElement {
  return (
    <div className={`${styles.page} ${isChosen ? styles.chosen : ''}`}>
      <div className={styles.list}>{list}</div>
      <div className={styles.detail}>
        {isChosen ? <p className={styles.back}>{back}</p> : undefined}
        {detail}
      </div>
    </div>
  );
}
