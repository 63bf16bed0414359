/** How many nodes have each status; each number leads to its nodes. */

import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import type { Overview, StatusCounts } from '../../api/nodes.ts';
import { Status, statusColour } from '../../features/status.tsx';
import { termText } from '../../lib/filter-terms.ts';
import { type RunStatus, runStatuses, statusWords } from '../../lib/run-status.ts';
import { Empty } from '../../ui/states.tsx';
import styles from './status-counters.module.css';

const groups: readonly (readonly [title: string, statuses: readonly RunStatus[]])[] = [
  ['Enforced', ['failed', 'corrective', 'intentional', 'unchanged']],
  ['No-op', ['noop-failed', 'noop-corrective', 'noop-intentional', 'noop-unchanged']],
  ['Not reporting', ['unresponsive', 'unreported']],
];

interface StatusCountersProps {
  readonly overview: Overview;
}

export function StatusCounters({ overview }: StatusCountersProps): ReactElement {
  const { counts, total } = overview;
  if (total === 0)
    return (
      <Empty title="No node has reported yet">
        <Link to="/install">Install an agent</Link>; its node is here after its first run.
      </Empty>
    );
  return (
    <div className={styles.counters}>
      <Link to="/nodes" className={styles.total}>
        <strong>{total.toLocaleString()}</strong> {total === 1 ? 'node' : 'nodes'}
      </Link>
      <Bar counts={counts} />
      <div className={styles.groups}>
        {groups.map(([title, statuses]) => (
          <div key={title} className={styles.group}>
            <h3>{title}</h3>
            <ul>
              {statuses.map((status) => (
                <li key={status}>
                  <Link
                    to="/nodes"
                    search={{ q: termText('status', status) }}
                    className={`${styles.counter} ${counts[status] === 0 ? styles.none : ''}`}
                  >
                    <Status status={status} />
                    <strong>{counts[status].toLocaleString()}</strong>
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </div>
    </div>
  );
}

/** The same as one bar. What it shows is in the numbers below. */
function Bar({ counts }: { readonly counts: StatusCounts }): ReactElement {
  return (
    <div className={styles.bar} aria-hidden>
      {runStatuses
        .filter((status) => counts[status] > 0)
        .map((status) => (
          <span
            key={status}
            title={`${statusWords[status]}: ${counts[status]}`}
            className={status.startsWith('noop-') ? styles.outlined : undefined}
            style={{ flexGrow: counts[status], background: statusColour(status) }}
          />
        ))}
    </div>
  );
}
