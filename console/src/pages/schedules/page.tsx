/** What starts by itself, the next first; one of them with its times, its runs, and what can be done with it. */

import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import type { ScheduledJob } from '../../api/schedules.ts';
import { AsOf } from '../../features/as-of.tsx';
import { JobsOnly } from '../../features/jobs-only.tsx';
import { useTopic } from '../../features/live.ts';
import { PageHeader } from '../../features/page-header.tsx';
import { scheduledTitle, scheduledWords } from '../../lib/scheduled-job.ts';
import { scheduleText } from '../../lib/schedules.ts';
import { visibleText } from '../../lib/visible-text.ts';
import { Age } from '../../ui/age.tsx';
import { Button } from '../../ui/button.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Pending } from '../../ui/loaded.tsx';
import { Select } from '../../ui/select.tsx';
import { Empty } from '../../ui/states.tsx';
import { AddSchedule } from './add-schedule.tsx';
import styles from './page.module.css';
import { scheduleList } from './queries.ts';
import { RunLink } from './run-link.tsx';
import { ScheduleView } from './schedule-view.tsx';

const route = getRouteApi('/schedules/{-$id}');

export function SchedulesPage(): ReactElement {
  const { id } = route.useParams();
  return <JobsOnly>{id === undefined ? <Schedules /> : <ScheduleView key={id} id={id} />}</JobsOnly>;
}

function Schedules(): ReactElement {
  const schedules = useQuery(scheduleList());
  const [isAdding, setAdding] = useState(false);
  useTopic('schedules');
  return (
    <>
      <PageHeader
        title="Schedules"
        aside={
          <span className={styles.aside}>
            <Button onPress={() => setAdding(true)}>Add schedule</Button>
            <AsOf query={schedules} />
          </span>
        }
      >
        <TypeSelect />
      </PageHeader>
      {schedules.data !== undefined ? (
        <List schedules={schedules.data} />
      ) : (
        <Pending query={schedules} what="The schedules" />
      )}
      {isAdding ? <AddSchedule onClose={() => setAdding(false)} /> : undefined}
    </>
  );
}

function TypeSelect(): ReactElement {
  const { type = '' } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <div className={styles.aside}>
      <Select
        label="Type"
        value={type}
        options={[
          ['', 'Any type'],
          ['deploy', scheduledWords.deploy],
          ['task', scheduledWords.task],
          ['plan', scheduledWords.plan],
        ]}
        onChange={(chosen) => void navigate({ search: { type: chosen === '' ? undefined : chosen } })}
      />
    </div>
  );
}

function List({ schedules }: { readonly schedules: readonly ScheduledJob[] }): ReactElement {
  const { type } = route.useSearch();
  const shown = schedules.filter((each) => type === undefined || each.type === type);
  if (schedules.length === 0)
    return (
      <Empty title="No schedules">
        Use <strong>Schedule</strong> on the page of a{' '}
        <Link to="/tasks/{-$name}" params={{ name: undefined }}>
          task
        </Link>{' '}
        or a{' '}
        <Link to="/plans/{-$name}" params={{ name: undefined }}>
          plan
        </Link>
        , or <strong>Add schedule</strong> here.
      </Empty>
    );
  if (shown.length === 0) return <Empty title="No schedule matches">Choose another type.</Empty>;
  return <DataTable label="Schedules" columns={columns} rows={shown} rowKey={({ name }) => name} />;
}

const columns: readonly Column<ScheduledJob>[] = [
  {
    id: 'what',
    title: 'Schedule',
    width: 'minmax(160px, 3fr)',
    narrow: 'first',
    render: (job) => (
      <Link to="/schedules/{-$id}" params={{ id: job.name }} search={{}}>
        <span className={styles.number}>{job.name}</span> {visibleText(scheduledTitle(job))}
      </Link>
    ),
  },
  { id: 'type', title: 'Type', width: '104px', render: ({ type }) => scheduledWords[type] },
  {
    id: 'times',
    title: 'Times',
    width: 'minmax(160px, 2fr)',
    narrow: 'detail',
    render: (job) => scheduleText(job),
  },
  {
    id: 'next',
    title: 'Next run',
    width: '104px',
    narrow: 'end',
    render: ({ next_run: time }) => <Age time={time} otherwise="disabled" />,
  },
  {
    id: 'last',
    title: 'Last run',
    width: 'minmax(120px, 1fr)',
    render: ({ last_run: run, type }) => (run === null ? 'none yet' : <RunLink run={run} type={type} />),
  },
  {
    id: 'owner',
    title: 'Owner',
    width: 'minmax(96px, 1fr)',
    render: ({ owner }) => visibleText(owner.login),
  },
];
