/** One job: what it is, how far it is, and what its nodes have to say. */

import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { AsOf } from '../../features/as-of.tsx';
import { JobNodes } from '../../features/job-nodes.tsx';
import { jobById } from '../../features/job-queries.ts';
import { JobStateMark } from '../../features/job-state.tsx';
import { JobsOnly } from '../../features/jobs-only.tsx';
import { useTopic } from '../../features/live.ts';
import { PageHeader } from '../../features/page-header.tsx';
import { useSession } from '../../features/session.ts';
import { failedStates, repeatOf } from '../../lib/job-repeat.ts';
import {
  countOf,
  furtherOptions,
  isOver,
  type Job,
  jobTitle,
  optionTitle,
  targetText,
  typeWords,
} from '../../lib/jobs.ts';
import { durationText, shortTime } from '../../lib/time.ts';
import { valueText, visibleText } from '../../lib/visible-text.ts';
import { Age } from '../../ui/age.tsx';
import { Button } from '../../ui/button.tsx';
import { type Fact, FactList } from '../../ui/fact-list.tsx';
import { Empty, Failure, LoadingRows } from '../../ui/states.tsx';
import styles from './page.module.css';
import { mayRepeat, permissionText } from './permission.ts';
import { RepeatQuestion } from './repeat-question.tsx';
import { StopQuestion } from './stop-question.tsx';

const route = getRouteApi('/jobs/$id');

export function JobPage(): ReactElement {
  return (
    <JobsOnly>
      <ShownJob />
    </JobsOnly>
  );
}

function ShownJob(): ReactElement {
  const { id } = route.useParams();
  const { state } = route.useSearch();
  const job = useQuery(jobById(id));
  useTopic(`job:${id}`);
  const above = <Link to="/jobs">Jobs</Link>;
  if (job.data === undefined)
    return (
      <>
        <PageHeader above={above} title={`Job ${id}`} />
        {job.isError ? (
          <NoJob error={job.error} onRetry={() => void job.refetch()} />
        ) : (
          <LoadingRows label="The job is loading" />
        )}
      </>
    );
  return (
    <>
      <PageHeader
        above={above}
        title={`${visibleText(jobTitle(job.data))} (job ${id})`}
        aside={<AsOf query={job} />}
      >
        <State job={job.data} />
        <FactList facts={factsOf(job.data)} />
        <Actions job={job.data} />
      </PageHeader>
      <JobNodes job={job.data} state={state} />
    </>
  );
}

function NoJob({ error, onRetry }: { readonly error: Error; readonly onRetry: () => void }): ReactElement {
  if ('status' in error && error.status === 404)
    return (
      <Empty title="There is no such job">
        The setting <code>job_prune_threshold</code> says how long jobs are kept.{' '}
        <Link to="/jobs">All jobs</Link>
      </Empty>
    );
  return <Failure title="The job can’t be shown" error={error} onRetry={onRetry} />;
}

function State({ job }: { readonly job: Job }): ReactElement {
  const { finished_timestamp: finished, started_timestamp: started, state } = job;
  return (
    <p className={styles.state}>
      <JobStateMark state={state} />
      <span className={styles.muted}>
        {finished !== null ? (
          <>
            {shortTime(new Date(finished))} (<Age time={finished} />)
          </>
        ) : started === null ? (
          'Not started yet'
        ) : (
          <>
            Started <Age time={started} />
          </>
        )}
      </span>
    </p>
  );
}

function factsOf(job: Job): readonly Fact[] {
  const { duration, environment, options, owner, type } = job;
  const { command, plan_job: planJob } = options;
  return [
    { name: 'Type', value: typeWords[type] ?? type },
    ...(typeof options['task'] === 'string' ? [{ name: 'Task', value: visibleText(options['task']) }] : []),
    ...(typeof command === 'string' ? [{ name: 'Command', value: visibleText(command), isCode: true }] : []),
    ...(typeof planJob === 'string'
      ? [
          {
            name: 'Part of',
            value: <Link to="/plan-jobs/$id" params={{ id: planJob }}>{`plan job ${planJob}`}</Link>,
          },
        ]
      : []),
    { name: 'Targets', value: visibleText(targetText(job)) },
    ...(environment.name === '' ? [] : [{ name: 'Environment', value: environment.name }]),
    { name: 'Owner', value: visibleText(owner.login) },
    ...(duration === null ? [] : [{ name: 'Took', value: durationText(duration) }]),
    ...furtherOptions(job).map(([name, value]) => ({
      name: optionTitle(name),
      value: valueText(value),
      isCode: true,
    })),
  ];
}

type Asked = 'stop' | 'again' | 'again-failed';

function Actions({ job }: { readonly job: Job }): ReactElement {
  const session = useSession();
  const [asked, setAsked] = useState<Asked>();
  const close = () => setAsked(undefined);
  const repeat = repeatOf(job);
  const missing = 'needs' in repeat && !mayRepeat(session, repeat.needs) ? repeat.needs : undefined;
  const why = 'reason' in repeat ? repeat.reason : missing && `You need ${permissionText(missing)}.`;
  const isRepeatable = why === undefined;
  return (
    <div className={styles.actions}>
      {isOver(job) ? (
        <>
          <Button isDisabled={!isRepeatable} onPress={() => setAsked('again')}>
            Run again
          </Button>
          {countOf(job, ...failedStates) === 0 ? undefined : (
            <Button isDisabled={!isRepeatable} onPress={() => setAsked('again-failed')}>
              Run again on failed nodes
            </Button>
          )}
          {why === undefined ? undefined : (
            <span className={styles.muted}>It can’t be run again here. {why}</span>
          )}
        </>
      ) : (
        <Button isDisabled={job.state === 'stopping'} onPress={() => setAsked('stop')}>
          Stop
        </Button>
      )}
      {asked === 'stop' ? <StopQuestion job={job} onClose={close} /> : undefined}
      {'path' in repeat && (asked === 'again' || asked === 'again-failed') ? (
        <RepeatQuestion
          job={job}
          path={repeat.path}
          isFailedOnly={asked === 'again-failed'}
          onClose={close}
        />
      ) : undefined}
    </div>
  );
}
