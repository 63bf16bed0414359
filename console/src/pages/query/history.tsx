/** The queries that were run in this browser. */

import { type ReactElement, useState } from 'react';
import { readHistory, withQuery } from '../../lib/query-history.ts';
import { visibleText } from '../../lib/visible-text.ts';
import styles from './page.module.css';

const key = 'bunraku.queries';

export function useHistory(): readonly [readonly string[], (pql: string) => void] {
  const [history, setHistory] = useState(() => readHistory(localStorage.getItem(key)));
  const remember = (pql: string) => {
    const next = withQuery(readHistory(localStorage.getItem(key)), pql);
    localStorage.setItem(key, JSON.stringify(next));
    setHistory(next);
  };
  return [history, remember];
}

interface HistoryProps {
  readonly history: readonly string[];
  readonly onChoose: (pql: string) => void;
}

export function History({ history, onChoose }: HistoryProps): ReactElement | undefined {
  if (history.length === 0) return undefined;
  return (
    <details className={styles.history}>
      <summary>Queries that you have run in this browser</summary>
      <ul>
        {history.map((pql) => (
          <li key={pql}>
            <button type="button" className={styles.earlier} onClick={() => onChoose(pql)}>
              <code>{visibleText(pql)}</code>
            </button>
          </li>
        ))}
      </ul>
    </details>
  );
}
