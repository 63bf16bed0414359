/** Tasks or plans by name, with a search among them. */

import type { ReactElement, ReactNode } from 'react';
import { visibleText } from '../../lib/visible-text.ts';
import { SearchField } from '../../ui/search-field.tsx';
import { Empty } from '../../ui/states.tsx';
import styles from './code-list.module.css';

export interface CodeItem {
  readonly name: string;
  readonly description?: string;
  /** Why it may not be run; absent when it may. */
  readonly obstacle?: string | undefined;
}

/** Those with the text in their name or description, in upper or lower case. */
function found(items: readonly CodeItem[], q: string): readonly CodeItem[] {
  const wanted = q.trim().toLowerCase();
  return items.filter(({ description = '', name }) =>
    `${name} ${description}`.toLowerCase().includes(wanted),
  );
}

interface CodeListProps {
  readonly kind: 'task' | 'plan';
  readonly items: readonly CodeItem[];
  readonly selected: string | undefined;
  readonly q: string;
  readonly onSearch: (text: string) => void;
  /** @param className - of the link */
  readonly link: (
    name: string,
    more: { readonly className: string; readonly 'aria-current': 'true' | undefined },
    content: ReactNode,
  ) => ReactNode;
}

const placeholders = { task: 'Name or description', plan: 'Part of a name' } as const;
const titles = { task: 'Tasks', plan: 'Plans' } as const;

export function CodeList({ items, kind, link, onSearch, q, selected }: CodeListProps): ReactElement {
  const shown = found(items, q);
  return (
    <>
      <SearchField label={`Search ${kind}s`} value={q} placeholder={placeholders[kind]} onChange={onSearch} />
      {shown.length === 0 ? <Empty title={`No ${kind} matches`} /> : undefined}
      <nav aria-label={titles[kind]}>
        <ul>
          {shown.map(({ description, name, obstacle }) => {
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
    </>
  );
}
