/** One schedule: what it starts, when, what came of it; other times, a pause, its end. */

import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import type { ScheduledJob, ScheduleRun } from '../../api/schedules.ts';
import { mayDo } from '../../api/session.ts';
import { AsOf } from '../../features/as-of.tsx';
import { CommandButton } from '../../features/command-button.tsx';
import { useTopic } from '../../features/live.ts';
import { PageHeader } from '../../features/page-header.tsx';
import { NextRuns } from '../../features/run/schedule-fields.tsx';
import { useSession } from '../../features/session.ts';
import { furtherOptions, optionTitle, targetText } from '../../lib/jobs.ts';
import { commandLine } from '../../lib/run-command.ts';
import { scheduledTitle, scheduledWords } from '../../lib/scheduled-job.ts';
import { type ScheduleWire, scheduleText } from '../../lib/schedules.ts';
import { valueText, visibleText } from '../../lib/visible-text.ts';
import { Age } from '../../ui/age.tsx';
import { Button } from '../../ui/button.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { type Fact, FactList } from '../../ui/fact-list.tsx';
import { Pending } from '../../ui/loaded.tsx';
import { Empty, Failure, LoadingRows } from '../../ui/states.tsx';
import styles from './page.module.css';
import { scheduleById, scheduleRuns } from './queries.ts';
import { DeleteQuestion, SwitchQuestion, TimesQuestion } from './questions.tsx';
import { RunLink } from './run-link.tsx';

export function ScheduleView({ id }: { readonly id: string }): ReactElement {
  const [isDeleting, setDeleting] = useState(false);
  const schedule = useQuery({ ...scheduleById(id), enabled: !isDeleting });
  useTopic('schedules');
  const above = (
    <Link to="/schedules/{-$id}" params={{ id: undefined }} search={{}}>
      Schedules
    </Link>
  );
  if (schedule.data === undefined)
    return (
      <>
        <PageHeader above={above} title={`Schedule ${id}`} />
        {!schedule.isError ? (
          <LoadingRows label="The schedule is loading" />
        ) : 'status' in schedule.error && schedule.error.status === 404 ? (
          <Empty title="There is no such schedule">
            It was deleted, or was to run once and has run. <Link to="/jobs">All jobs</Link>
          </Empty>
        ) : (
          <Failure
            title="The schedule can’t be shown"
            error={schedule.error}
            onRetry={() => void schedule.refetch()}
          />
        )}
      </>
    );
  return (
    <>
      <PageHeader
        above={above}
        title={`${visibleText(scheduledTitle(schedule.data))} (schedule ${id})`}
        aside={<AsOf query={schedule} />}
      >
        <FactList facts={factsOf(schedule.data)} />
        <Actions job={schedule.data} onDeleting={setDeleting} />
      </PageHeader>
      <div className={styles.sections}>
        <section aria-label="Next runs">
          <h2>Next runs</h2>
          {schedule.data.enabled ? (
            <NextRuns schedule={timesOf(schedule.data)} title="In" />
          ) : (
            <p className={styles.muted}>The schedule is disabled: no runs start until it is enabled.</p>
          )}
        </section>
        <Runs id={id} type={schedule.data.type} isEnabled={!isDeleting} />
      </div>
    </>
  );
}

/** Its times, from now on: the first one may be long ago. */
function timesOf({ schedule_options: options, scheduled_time: start }: ScheduledJob): ScheduleWire {
  if (options?.cron !== undefined) return { schedule_options: options };
  return {
    ...(start === undefined ? {} : { scheduled_time: start }),
    ...(options === undefined ? {} : { schedule_options: options }),
  };
}

function factsOf(job: ScheduledJob): readonly Fact[] {
  const { environment, job_options: options, owner, scope, type } = job;
  const { params, sensitive, ...rest } = options;
  const shown = { options: { ...rest, ...(scope === undefined ? {} : { scope }) } };
  const values = typeof params === 'object' && params !== null ? Object.entries(params) : [];
  return [
    { name: 'Type', value: scheduledWords[type] },
    ...(type === 'plan'
      ? []
      : [{ name: 'Targets', value: visibleText(targetText({ ...shown, node_count: countOf(scope) })) }]),
    { name: 'Times', value: scheduleText(job), isCode: true },
    ...(environment === '' ? [] : [{ name: 'Environment', value: environment }]),
    { name: 'Owner', value: visibleText(owner.login) },
    ...values.map(([name, value]) => ({ name: visibleText(name), value: valueText(value), isCode: true })),
    ...(Array.isArray(sensitive) && sensitive.length > 0
      ? [{ name: 'Sensitive', value: visibleText(sensitive.join(', ')) }]
      : []),
    ...furtherOptions(shown).map(([name, value]) => ({
      name: optionTitle(name),
      value: valueText(value),
      isCode: true,
    })),
  ];
}

function countOf(scope: unknown): number {
  if (typeof scope !== 'object' || scope === null || !('nodes' in scope)) return 0;
  return Array.isArray(scope.nodes) ? scope.nodes.length : 0;
}

type Asked = 'times' | 'switch' | 'delete';

interface ActionsProps {
  readonly job: ScheduledJob;
  readonly onDeleting: (isDeleting: boolean) => void;
}

function Actions({ job, onDeleting }: ActionsProps): ReactElement {
  const session = useSession();
  const [asked, setAsked] = useState<Asked>();
  const close = () => setAsked(undefined);
  const mayChange = job.owner.id === session.user.id || mayDo(session, 'scheduled_jobs', 'delete');
  return (
    <div className={styles.aside}>
      <Button isDisabled={!mayChange} onPress={() => setAsked('times')}>
        Change times
      </Button>
      <Button isDisabled={!mayChange} onPress={() => setAsked('switch')}>
        {job.enabled ? 'Disable' : 'Enable'}
      </Button>
      <Button isDisabled={!mayChange} onPress={() => setAsked('delete')}>
        Delete
      </Button>
      <CommandButton text={commandLine(['schedule show', job.name])} />
      {mayChange ? undefined : (
        <span className={styles.muted}>
          It belongs to {visibleText(job.owner.login)}: you need the permission scheduled_jobs:delete.
        </span>
      )}
      {asked === 'times' ? <TimesQuestion job={job} onClose={close} /> : undefined}
      {asked === 'switch' ? <SwitchQuestion job={job} onClose={close} /> : undefined}
      {asked === 'delete' ? <DeleteQuestion job={job} onClose={close} onDeleting={onDeleting} /> : undefined}
    </div>
  );
}

interface RunsProps {
  readonly id: string;
  readonly type: ScheduledJob['type'];
  readonly isEnabled: boolean;
}

function Runs({ id, isEnabled, type }: RunsProps): ReactElement {
  const runs = useQuery({ ...scheduleRuns(id), enabled: isEnabled });
  const columns: readonly Column<ScheduleRun>[] = [
    {
      id: 'time',
      title: 'Time',
      width: '120px',
      narrow: 'end',
      render: ({ time }) => <Age time={time} />,
    },
    {
      id: 'job',
      title: 'Started',
      width: 'minmax(160px, 1fr)',
      narrow: 'first',
      render: (run) => <RunLink run={run} type={type} />,
    },
  ];
  return (
    <section aria-label="Last runs">
      <h2>Last runs</h2>
      {runs.data === undefined ? (
        <Pending query={runs} what="The runs" rows={2} />
      ) : runs.data.length === 0 ? (
        <p className={styles.muted}>No runs yet.</p>
      ) : (
        <DataTable label="Last runs" columns={columns} rows={runs.data} rowKey={({ time }) => time} />
      )}
    </section>
  );
}
