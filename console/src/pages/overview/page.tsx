/** The state of the fleet at a glance: how the last runs ended, what fails, what has just happened. */

import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type ReactElement, useDeferredValue } from 'react';
import { AsOf } from '../../features/as-of.tsx';
import { useTopic } from '../../features/live.ts';
import { PageHeader } from '../../features/page-header.tsx';
import { visibleText } from '../../lib/visible-text.ts';
import { Pending } from '../../ui/loaded.tsx';
import { Empty } from '../../ui/states.tsx';
import { LastRuns } from './last-runs.tsx';
import { Now } from './now.tsx';
import styles from './page.module.css';
import { failureMessages, overviewCounts } from './queries.ts';
import { RunsByTime } from './runs-by-time.tsx';
import { StatusCounters } from './status-counters.tsx';

const route = getRouteApi('/');

export function OverviewPage(): ReactElement {
  const { environment } = route.useSearch();
  const counts = useQuery(overviewCounts(environment));
  // The counts are on the screen before the rest is rendered.
  const hasRest = useDeferredValue(!counts.isPending, false);
  useTopic('fleet');
  return (
    <>
      <PageHeader title="Overview" aside={<AsOf query={counts} />} />
      <div className={styles.page} aria-busy={!hasRest}>
        <section aria-labelledby="by-status" className={styles.wide}>
          <h2 id="by-status">Nodes by their last run</h2>
          {counts.data === undefined ? (
            <Pending what="The counts of nodes" query={counts} />
          ) : (
            <StatusCounters overview={counts.data} />
          )}
        </section>
        {hasRest ? <Rest environment={environment} /> : undefined}
      </div>
    </>
  );
}

interface PartProps {
  readonly environment: string | undefined;
}

/** Asked for when the counts are there, so that nothing keeps those from the screen. */
function Rest({ environment }: PartProps): ReactElement {
  return (
    <>
      <RunsByTime environment={environment} />
      <Failures environment={environment} />
      <Now />
      <LastRuns environment={environment} />
    </>
  );
}

function Failures({ environment }: PartProps): ReactElement {
  const messages = useQuery(failureMessages(environment));
  return (
    <section aria-labelledby="failures">
      <h2 id="failures">
        <Link to="/events" search={{ by: 'message', from: 'last-run' }}>
          Failures by message
        </Link>
      </h2>
      {messages.data === undefined ? (
        <Pending what="The failures" query={messages} />
      ) : messages.data.length === 0 ? (
        <Empty title="No resource failed in the last run of any node" />
      ) : (
        <ol className={styles.messages}>
          {messages.data.map(({ filter, message, nodes }) => (
            <li key={message}>
              <span className={styles.message}>{visibleText(message)}</span>
              <Link to="/nodes" search={{ q: filter }} className={styles.count}>
                {nodes === 1 ? '1 node' : `${nodes} nodes`}
              </Link>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}
