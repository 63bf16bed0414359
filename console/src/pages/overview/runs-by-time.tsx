/** The runs of the last hours as a bar for each quarter of an hour; each leads to its reports. */

import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import type { Runs } from '../../api/nodes.ts';
import { QuickLink } from '../../features/quick-link.tsx';
import { statusColour } from '../../features/status.tsx';
import { runsText, sumOfRuns } from '../../lib/run-quarters.ts';
import { runStatuses, statusWords } from '../../lib/run-status.ts';
import { hourText } from '../../lib/time.ts';
import { Pending } from '../../ui/loaded.tsx';
import { runs } from './queries.ts';
import styles from './runs-by-time.module.css';

type Quarter = Runs['quarters'][number];
interface RunsProps {
  readonly environment: string | undefined;
}

export function RunsByTime({ environment }: RunsProps): ReactElement {
  const query = useQuery(runs(environment));
  return (
    <section aria-labelledby="runs-by-time" className={styles.section}>
      <h2 id="runs-by-time">Runs per 15 minutes</h2>
      {query.data === undefined ? (
        <Pending what="The runs" query={query} rows={3} />
      ) : (
        <Bars quarters={query.data.quarters} />
      )}
    </section>
  );
}

function Bars({ quarters }: { readonly quarters: readonly Quarter[] }): ReactElement {
  const most = Math.max(1, ...quarters.map(({ counts }) => sumOfRuns(counts)));
  const [first, last] = [quarters[0], quarters.at(-1)];
  const shown = runStatuses.filter((status) =>
    quarters.some(({ counts }) => status in counts && counts[status as keyof typeof counts] > 0),
  );
  return (
    <>
      <ol className={styles.bars}>
        {quarters.map((quarter) => (
          <li key={quarter.from}>
            <Bar quarter={quarter} most={most} />
          </li>
        ))}
      </ol>
      <p className={styles.axis}>
        <span>{first === undefined ? '' : hourText(new Date(first.from))}</span>
        <span className={styles.legend}>
          {shown.map((status) => (
            <span key={status} className={styles.key}>
              <span
                className={`${styles.mark} ${status.startsWith('noop-') ? styles.noop : ''}`}
                style={{ background: statusColour(status) }}
              />
              {statusWords[status]}
            </span>
          ))}
          <span>{shown.length === 0 ? 'No runs in this time' : `Highest bar: ${runCount(most)}`}</span>
        </span>
        <span>{last === undefined ? '' : hourText(new Date(last.to))}</span>
      </p>
    </>
  );
}

function runCount(count: number): string {
  return count === 1 ? '1 run' : `${count.toLocaleString()} runs`;
}

interface BarProps {
  readonly quarter: Quarter;
  readonly most: number;
}

function Bar({ most, quarter }: BarProps): ReactElement {
  const { counts, from, to } = quarter;
  const times = `${hourText(new Date(from))} to ${hourText(new Date(to))}`;
  const words = `${times}: ${runsText(counts)}`;
  const sum = sumOfRuns(counts);
  return (
    <QuickLink
      link={{ to: '/reports', search: { from, to } }}
      label={words}
      title={words}
      className={styles.bar}
    >
      <span className={styles.stack} style={{ height: `${(sum / most) * 100}%` }}>
        {Object.entries(counts)
          .filter(([, count]) => count > 0)
          .map(([status, count]) => (
            <span
              key={status}
              className={status.startsWith('noop-') ? styles.noop : undefined}
              style={{ flexGrow: count, background: statusColour(status as keyof typeof counts) }}
            />
          ))}
      </span>
    </QuickLink>
  );
}
