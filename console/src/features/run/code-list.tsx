/** Tasks or plans by name, filtered by the search. */

import type { ReactElement, ReactNode } from 'react';
import { visibleText } from '../../lib/visible-text.ts';
import styles from './code-list.module.css';

export interface CodeItem {
  readonly name: string;
  readonly description?: string;
  /** Why it may not be run; absent when it may. */
  readonly obstacle?: string | undefined;
}

/** Those with the text in their name or description, in upper or lower case. */
export function found(items: readonly CodeItem[], q: string): readonly CodeItem[] {
  const wanted = q.trim().toLowerCase();
  return items.filter(({ description = '', name }) =>
    `${name} ${description}`.toLowerCase().includes(wanted),
  );
}

interface CodeListProps {
  readonly label: string;
  readonly items: readonly CodeItem[];
  readonly selected: string | undefined;
  /** @param className - of the link */
  readonly link: (
    name: string,
    more: { readonly className: string; readonly 'aria-current': 'true' | undefined },
    content: ReactNode,
  ) => ReactNode;
}

export function CodeList({ items, label, link, selected }: CodeListProps): ReactElement {
  return (
    <nav aria-label={label}>
      <ul>
        {items.map(({ description, name, obstacle }) => {
          const isSelected = name === selected;
          const className = `${styles.item} ${isSelected ? styles.selected : ''} ${obstacle === undefined ? '' : styles.refused}`;
          return (
            <li key={name} title={obstacle}>
              {link(
                name,
                { className, 'aria-current': isSelected ? 'true' : undefined },
                <>
                  <span className={styles.name}>{visibleText(name)}</span>
                  {description === undefined ? undefined : (
                    <span className={styles.description}>{visibleText(description)}</span>
                  )}
                </>,
              )}
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
