/** A plan that was run: its steps in their order, and what it returned. */

import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import type { PlanJob } from '../../api/plans.ts';
import { AsOf } from '../../features/as-of.tsx';
import { JobsOnly } from '../../features/jobs-only.tsx';
import { useTopic } from '../../features/live.ts';
import { PageHeader } from '../../features/page-header.tsx';
import { PlanStateMark } from '../../features/plan-state.tsx';
import { durationText, shortTime } from '../../lib/time.ts';
import { valueText, visibleText } from '../../lib/visible-text.ts';
import { Button } from '../../ui/button.tsx';
import { type Fact, FactList } from '../../ui/fact-list.tsx';
import { OutputBlock } from '../../ui/output-block.tsx';
import { Empty, Failure, LoadingRows } from '../../ui/states.tsx';
import styles from './page.module.css';
import { planJobById } from './queries.ts';
import { PlanSteps } from './steps.tsx';
import { StopQuestion } from './stop-question.tsx';

const route = getRouteApi('/plan-jobs/$id');

export function PlanJobPage(): ReactElement {
  return (
    <JobsOnly>
      <ShownPlanJob />
    </JobsOnly>
  );
}

function ShownPlanJob(): ReactElement {
  const { id } = route.useParams();
  const job = useQuery(planJobById(id));
  useTopic(`plan-job:${id}`);
  const above = (
    <Link to="/plans/{-$name}" params={{ name: undefined }}>
      Plans
    </Link>
  );
  if (job.data === undefined)
    return (
      <>
        <PageHeader above={above} title={`Plan job ${id}`} />
        {!job.isError ? (
          <LoadingRows label="The plan job is loading" />
        ) : 'status' in job.error && job.error.status === 404 ? (
          <Empty title="There is no such plan job">
            The setting <code>job_prune_threshold</code> says how long plan jobs are kept.
          </Empty>
        ) : (
          <Failure title="The plan job can’t be shown" error={job.error} onRetry={() => void job.refetch()} />
        )}
      </>
    );
  return (
    <>
      <PageHeader
        above={above}
        title={`${visibleText(job.data.options.plan_name)} (plan job ${id})`}
        aside={<AsOf query={job} />}
      >
        <p>
          <PlanStateMark state={job.data.state} />
        </p>
        <FactList facts={factsOf(job.data)} />
        <Actions job={job.data} />
      </PageHeader>
      <div className={styles.sections}>
        <PlanSteps id={id} />
        {job.data.state === 'running' ? undefined : <Result job={job.data} />}
      </div>
    </>
  );
}

function factsOf({ created_timestamp: created, finished_timestamp: finished, options, owner }: PlanJob) {
  const { description, environment, parameters } = options;
  const seconds = finished === null ? undefined : (Date.parse(finished) - Date.parse(created)) / 1000;
  const facts: readonly Fact[] = [
    ...(description === '' ? [] : [{ name: 'Description', value: visibleText(description) }]),
    { name: 'Environment', value: environment },
    { name: 'Owner', value: visibleText(owner.login) },
    { name: 'Started', value: shortTime(new Date(created)) },
    ...(seconds === undefined ? [] : [{ name: 'Took', value: durationText(seconds) }]),
    ...Object.entries(parameters).map(([name, value]) => ({
      name: visibleText(name),
      value: valueText(value),
      isCode: true,
    })),
  ];
  return facts;
}

function Actions({ job }: { readonly job: PlanJob }): ReactElement {
  const navigate = route.useNavigate();
  const [isStopping, setStopping] = useState(false);
  const { environment, parameters, plan_name: name } = job.options;
  if (job.state === 'running')
    return (
      <div className={styles.actions}>
        <Button onPress={() => setStopping(true)}>Stop</Button>
        {isStopping ? <StopQuestion id={job.name} onClose={() => setStopping(false)} /> : undefined}
      </div>
    );
  const again = () =>
    void navigate({
      to: '/plans/{-$name}',
      params: { name },
      search: {
        code: environment,
        params: JSON.stringify(parameters),
      },
    });
  return (
    <div className={styles.actions}>
      <Button onPress={again}>Run again</Button>
      <span className={styles.muted}>Opens the plan with these parameters.</span>
    </div>
  );
}

function Result({ job: { result, state } }: { readonly job: PlanJob }): ReactElement {
  return (
    <section aria-label="Result" className={styles.result}>
      <h2>Result</h2>
      {result === null ? (
        <p className={styles.muted}>The plan returned nothing.</p>
      ) : (
        <OutputBlock isError={state === 'failure'}>{visibleText(resultText(result))}</OutputBlock>
      )}
    </section>
  );
}

/** Failures by their message. */
function resultText(result: unknown): string {
  if (typeof result === 'string') return result;
  if (typeof result === 'object' && result !== null && 'msg' in result && 'kind' in result)
    return `${String(result.msg)} (${String(result.kind)})`;
  return JSON.stringify(result, undefined, 2);
}
