/** The top of a page: where it is, its name, and what can be done. */

import type { ReactElement, ReactNode } from 'react';
import { useEffect } from 'react';
import styles from './page-header.module.css';

interface PageHeaderProps {
  readonly title: string;
  /** Before the title: a link to the list that the page is of. */
  readonly above?: ReactNode;
  /** Beside the title. */
  readonly aside?: ReactNode;
  readonly children?: ReactNode;
}

export function PageHeader({ above, aside, children, title }: PageHeaderProps): ReactElement {
  useEffect(() => {
    document.title = `${title} · Bunraku`;
  }, [title]);
  return (
    <header className={styles.header}>
      {above === undefined ? undefined : <p className={styles.above}>{above}</p>}
      <div className={styles.line}>
        <h1 className={styles.title}>{title}</h1>
        {aside === undefined ? undefined : <div className={styles.aside}>{aside}</div>}
      </div>
      {children}
    </header>
  );
}
