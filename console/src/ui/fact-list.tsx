/** Names and values side by side. */

import type { ReactElement, ReactNode } from 'react';
import styles from './fact-list.module.css';

export interface Fact {
  readonly name: string;
  readonly value: ReactNode;
  readonly isCode?: boolean;
}

/** More than these have columns: they would wrap at any place. */
const mostInLine = 6;
/** Longer values take two columns. */
const columnLength = 24;

export function FactList({ facts }: { readonly facts: readonly Fact[] }): ReactElement {
  const isLong = (value: ReactNode) => typeof value === 'string' && value.length > columnLength;
  return (
    <dl className={`${styles.list} ${facts.length > mostInLine ? styles.columns : ''}`}>
      {facts.map(({ isCode = false, name, value }) => (
        <div key={name} className={`${styles.fact} ${isLong(value) ? styles.long : ''}`}>
          <dt>{name}</dt>
          <dd className={isCode ? styles.code : undefined}>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
