/** All jobs, the newest first. */

import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type ReactElement, useCallback, useMemo } from 'react';
import { AsOf } from '../../features/as-of.tsx';
import { JobStateMark } from '../../features/job-state.tsx';
import { JobsOnly } from '../../features/jobs-only.tsx';
import { useTopic } from '../../features/live.ts';
import { useUpdates } from '../../features/long-lists.ts';
import { PageHeader } from '../../features/page-header.tsx';
import {
  countOf,
  type Job,
  type JobState,
  jobStateWords,
  jobTitle,
  targetText,
  typeWords,
} from '../../lib/jobs.ts';
import { durationText } from '../../lib/time.ts';
import { visibleText } from '../../lib/visible-text.ts';
import { Age } from '../../ui/age.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Pending } from '../../ui/loaded.tsx';
import { Select } from '../../ui/select.tsx';
import { Empty } from '../../ui/states.tsx';
import styles from './page.module.css';
import { jobPages } from './queries.ts';

const route = getRouteApi('/jobs');

const filterStates = ['running', 'new', 'failed', 'finished', 'stopping', 'stopped'] as const;
const stateOptions: readonly (readonly [JobState | '', string])[] = [
  ['', 'Any state'],
  ...filterStates.map((state) => [state, jobStateWords[state]] as const),
];
const typeOptions: readonly (readonly [string, string])[] = [['', 'Any type'], ...Object.entries(typeWords)];

export function JobsPage(): ReactElement {
  return (
    <JobsOnly>
      <Jobs />
    </JobsOnly>
  );
}

function Jobs(): ReactElement {
  const query = jobPages(route.useSearch());
  const jobs = useInfiniteQuery(query);
  const updates = useUpdates(query.queryKey);
  useTopic('jobs');
  return (
    <>
      <PageHeader title="Jobs" aside={<AsOf query={jobs} updates={updates} />}>
        <Filter />
      </PageHeader>
      <List />
    </>
  );
}

function Filter(): ReactElement {
  const { state = '', type = '' } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <div className={styles.filter}>
      <Select
        label="State"
        value={state}
        options={stateOptions}
        onChange={(chosen) =>
          void navigate({ search: (before) => ({ ...before, state: chosen === '' ? undefined : chosen }) })
        }
      />
      <Select
        label="Type"
        value={type}
        options={typeOptions}
        onChange={(chosen) =>
          void navigate({ search: (before) => ({ ...before, type: chosen === '' ? undefined : chosen }) })
        }
      />
    </div>
  );
}

function List(): ReactElement {
  const { state, type } = route.useSearch();
  const jobs = useInfiniteQuery(jobPages({ state, type }));
  const { fetchNextPage, hasNextPage, isFetchingNextPage } = jobs;
  const rows = useMemo(() => distinct(jobs.data?.pages.flatMap(({ items }) => items) ?? []), [jobs.data]);
  const more = useCallback(() => void fetchNextPage(), [fetchNextPage]);
  if (jobs.data === undefined) return <Pending query={jobs} what="The jobs" rows={12} />;
  if (rows.length === 0)
    return state === undefined && type === undefined ? (
      <Empty title="No jobs yet">
        Run Puppet from the page of a node or with <code>bunraku job run --nodes CERTNAME</code>.
      </Empty>
    ) : (
      <Empty title="No job matches">Choose another state or type.</Empty>
    );
  return (
    <DataTable
      label="Jobs"
      columns={columns}
      rows={rows}
      total={jobs.data.pages.at(-1)?.pagination.total ?? rows.length}
      rowKey={({ name }) => name}
      {...(hasNextPage && !isFetchingNextPage ? { onMore: more } : {})}
    />
  );
}

/** A job that has begun between two pages moves the last of the first one to the second. */
function distinct(jobs: readonly Job[]): readonly Job[] {
  return Array.from(new Map(jobs.map((job) => [job.name, job])).values());
}

const columns: readonly Column<Job>[] = [
  {
    id: 'job',
    title: 'Job',
    width: 'minmax(144px, 3fr)',
    narrow: 'first',
    render: (job) => (
      <Link to="/jobs/$id" params={{ id: job.name }} title={jobTitle(job)}>
        <span className={styles.number}>{job.name}</span> {visibleText(jobTitle(job))}
      </Link>
    ),
  },
  {
    id: 'state',
    title: 'State',
    width: '96px',
    narrow: 'end',
    render: ({ state }) => <JobStateMark state={state} />,
  },
  { id: 'type', title: 'Type', width: '104px', render: ({ type }) => typeWords[type] ?? type },
  {
    id: 'targets',
    title: 'Targets',
    width: 'minmax(112px, 2fr)',
    narrow: 'detail',
    render: (job) => <span title={targetText(job)}>{visibleText(targetText(job))}</span>,
  },
  { id: 'nodes', title: 'Nodes', width: '104px', isNumeric: true, render: (job) => <Nodes job={job} /> },
  {
    id: 'owner',
    title: 'Owner',
    width: 'minmax(96px, 1.5fr)',
    render: ({ owner }) => visibleText(owner.login),
  },
  {
    id: 'started',
    title: 'Started',
    width: '80px',
    isNumeric: true,
    render: ({ started_timestamp: time }) => <Age time={time} otherwise="not yet" />,
  },
  {
    id: 'took',
    title: 'Took',
    width: '80px',
    isNumeric: true,
    render: ({ duration }) => (duration === null ? '' : durationText(duration)),
  },
];

function Nodes({ job }: { readonly job: Job }): ReactElement {
  const failed = countOf(job, 'failed', 'errored');
  return (
    <>
      {job.node_count.toLocaleString('en')}
      {failed === 0 ? undefined : (
        <span className={styles.failed}>, {failed.toLocaleString('en')} failed</span>
      )}
    </>
  );
}
