/** What a run has counted and how long its parts took. */

import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import type { MetricRow } from '../../api/puppetdb.ts';
import { durationText } from '../../lib/time.ts';
import { visibleText } from '../../lib/visible-text.ts';
import { Pending } from '../../ui/loaded.tsx';
import { Empty } from '../../ui/states.tsx';
import styles from './page.module.css';
import { reportMetrics } from './queries.ts';

const titles: Readonly<Record<string, string>> = {
  resources: 'Resources',
  changes: 'Changes',
  events: 'Events',
  time: 'Time',
};

export function Metrics({ hash }: { readonly hash: string }): ReactElement {
  const metrics = useQuery(reportMetrics(hash));
  if (metrics.data === undefined) return <Pending query={metrics} what="The metrics" />;
  if (metrics.data.length === 0) return <Empty title="The report has no metrics" />;
  const categories = Map.groupBy(metrics.data, ({ category }) => category);
  return (
    <div className={styles.metrics}>
      {Array.from(categories, ([category, rows]) => (
        <section key={category} aria-label={titles[category] ?? category}>
          <h2>{titles[category] ?? category}</h2>
          <ul>
            {sorted(rows).map(({ name, value }) => (
              <li key={name} className={styles.metric}>
                <span>{visibleText(name.replaceAll('_', ' '))}</span>
                <span>{category === 'time' ? durationText(value) : value.toLocaleString()}</span>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

/** The largest first, the total before all. */
function sorted(rows: readonly MetricRow[]): readonly MetricRow[] {
  return rows.toSorted(
    (a, b) => Number(b.name === 'total') - Number(a.name === 'total') || b.value - a.value,
  );
}
