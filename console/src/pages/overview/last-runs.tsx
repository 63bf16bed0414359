/** The last runs that failed or changed something, one on a line. */

import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import type { LastRuns as Answer } from '../../api/nodes.ts';
import { QuickLink } from '../../features/quick-link.tsx';
import { statusOfReport } from '../../features/report-queries.ts';
import { Status } from '../../features/status.tsx';
import { Age } from '../../ui/age.tsx';
import { Pending } from '../../ui/loaded.tsx';
import { Empty } from '../../ui/states.tsx';
import styles from './last-runs.module.css';
import { lastRuns } from './queries.ts';

interface LastRunsProps {
  readonly environment: string | undefined;
}

export function LastRuns({ environment }: LastRunsProps): ReactElement {
  const last = useQuery(lastRuns(environment));
  return (
    <section aria-labelledby="last-runs">
      <h2 id="last-runs">Last failures and changes</h2>
      {last.data === undefined ? (
        <Pending what="The runs" query={last} />
      ) : last.data.runs.length === 0 ? (
        <Empty title="No run has failed or changed anything yet" />
      ) : (
        <ul className={styles.runs}>
          {last.data.runs.map((run) => (
            <li key={run.hash}>
              <Run run={run} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Run({ run }: { readonly run: Answer['runs'][number] }): ReactElement {
  const { certname, end_time: endTime, hash } = run;
  return (
    <div className={styles.line}>
      <QuickLink link={{ to: '/reports/$hash', params: { hash } }} className={styles.status}>
        <Status status={statusOfReport(run)} />
      </QuickLink>
      <QuickLink link={{ to: '/nodes/$certname', params: { certname } }} className={styles.certname}>
        {certname}
      </QuickLink>
      <span className={styles.age}>
        <Age time={endTime} />
      </span>
    </div>
  );
}
