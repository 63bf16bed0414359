/** Plans that were run, the newest first. */

import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactElement, useCallback, useMemo } from 'react';
import type { PlanJob } from '../../api/plans.ts';
import { useTopic } from '../../features/live.ts';
import { PlanStateMark } from '../../features/plan-state.tsx';
import form from '../../features/run/form.module.css';
import { visibleText } from '../../lib/visible-text.ts';
import { Age } from '../../ui/age.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Pending } from '../../ui/loaded.tsx';
import { Empty } from '../../ui/states.tsx';
import styles from './page.module.css';
import { planJobPages } from './queries.ts';

export function PlanJobs(): ReactElement {
  const jobs = useInfiniteQuery(planJobPages());
  useTopic('plan-jobs');
  const { fetchNextPage, hasNextPage, isFetchingNextPage } = jobs;
  const more = useCallback(() => void fetchNextPage(), [fetchNextPage]);
  const rows = useMemo(() => distinct(jobs.data?.pages.flatMap(({ items }) => items) ?? []), [jobs.data]);
  return (
    <section aria-label="Plan jobs" className={form.view}>
      <h2 className={form.title}>Plan jobs</h2>
      {jobs.data === undefined ? (
        <Pending query={jobs} what="The plan jobs" />
      ) : rows.length === 0 ? (
        <Empty title="No plan has been run yet">Choose a plan to run it.</Empty>
      ) : (
        <DataTable
          label="Plan jobs"
          columns={columns}
          rows={rows}
          total={jobs.data.pages.at(-1)?.pagination.total ?? rows.length}
          rowKey={({ name }) => name}
          {...(hasNextPage && !isFetchingNextPage ? { onMore: more } : {})}
        />
      )}
    </section>
  );
}

/** A plan that has begun between two pages moves the last of the first one to the second. */
function distinct(jobs: readonly PlanJob[]): readonly PlanJob[] {
  return Array.from(new Map(jobs.map((job) => [job.name, job])).values());
}

const columns: readonly Column<PlanJob>[] = [
  {
    id: 'plan',
    title: 'Plan',
    width: 'minmax(160px, 3fr)',
    narrow: 'first',
    render: ({ name, options }) => (
      <Link to="/plan-jobs/$id" params={{ id: name }}>
        <span className={styles.number}>{name}</span> {visibleText(options.plan_name)}
      </Link>
    ),
  },
  {
    id: 'state',
    title: 'State',
    width: '104px',
    narrow: 'end',
    render: ({ state }) => <PlanStateMark state={state} />,
  },
  {
    id: 'owner',
    title: 'Owner',
    width: 'minmax(64px, 1fr)',
    narrow: 'detail',
    render: ({ owner }) => visibleText(owner.login),
  },
  {
    id: 'started',
    title: 'Started',
    width: '96px',
    isNumeric: true,
    render: ({ created_timestamp: time }) => <Age time={time} />,
  },
];
