/** What differs between two states of an object: old and new value side by side. */

import type { ReactElement } from 'react';
import type { Difference } from '../../lib/undo.ts';
import { valueText, visibleText } from '../../lib/visible-text.ts';
import styles from './change.module.css';

const mostOnLine = 80;

export function DifferenceTable({ rows }: { readonly rows: readonly Difference[] }): ReactElement {
  return (
    <table className={styles.differences}>
      <thead>
        <tr>
          <th scope="col">What</th>
          <th scope="col">Before</th>
          <th scope="col">After</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ after, before, path }) => (
          <tr key={path}>
            <th scope="row">{path === '' ? 'Whole value' : visibleText(path)}</th>
            <td className={styles.before}>
              <Value value={before} />
            </td>
            <td className={styles.after}>
              <Value value={after} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Value({ value }: { readonly value: unknown }): ReactElement {
  if (value === undefined) return <span className={styles.nothing}>nothing</span>;
  const line = valueText(value);
  const isShort = line.length <= mostOnLine || typeof value !== 'object';
  return <code>{isShort ? line : visibleText(JSON.stringify(value, null, 1))}</code>;
}
