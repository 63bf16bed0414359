/** Names and values side by side. */

import type { ReactElement, ReactNode } from 'react';
import styles from './fact-list.module.css';

export interface Fact {
  readonly name: string;
  readonly value: ReactNode;
  readonly isCode?: boolean;
}

export function FactList({ facts }: { readonly facts: readonly Fact[] }): ReactElement {
  return (
    <dl className={styles.list}>
      {facts.map(({ isCode = false, name, value }) => (
        <div key={name} className={styles.fact}>
          <dt>{name}</dt>
          <dd className={isCode ? styles.code : undefined}>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
