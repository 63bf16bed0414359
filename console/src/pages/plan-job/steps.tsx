/** What a plan has done so far: its messages, and the jobs that it started. */

import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import type { PlanEvent } from '../../api/plans.ts';
import { JobStateMark } from '../../features/job-state.tsx';
import { useTopic } from '../../features/live.ts';
import { jobTitle, nodesText } from '../../lib/jobs.ts';
import { clockTime } from '../../lib/time.ts';
import { visibleText } from '../../lib/visible-text.ts';
import { Pending } from '../../ui/loaded.tsx';
import { OutputBlock } from '../../ui/output-block.tsx';
import { Empty } from '../../ui/states.tsx';
import styles from './page.module.css';
import { planEvents, stepJob } from './queries.ts';

const startWords: Readonly<Record<string, string>> = {
  apply_start: 'Catalog',
  command_start: 'Command',
  download_start: 'Download',
  plan_end: 'End of the plan',
  plan_start: 'Plan',
  script_start: 'Script',
  task_start: 'Task',
  upload_start: 'Upload',
  wait_start: 'Waiting for nodes',
};

export function PlanSteps({ id }: { readonly id: string }): ReactElement {
  const events = useQuery(planEvents(id));
  useTopic('jobs');
  if (events.data === undefined) return <Pending query={events} what="The steps" />;
  const steps = events.data.filter(({ type }) => type === 'out_message' || type in startWords);
  return (
    <section aria-label="Steps">
      <h2>Steps</h2>
      {steps.length === 0 ? <Empty title="The plan has done nothing that is told" /> : undefined}
      <ol>
        {steps.map((event) => (
          <li key={event.id} className={styles.step}>
            <time dateTime={event.timestamp} className={styles.muted}>
              {clockTime(new Date(event.timestamp))}
            </time>
            <Step event={event} />
          </li>
        ))}
      </ol>
    </section>
  );
}

function Step({ event: { details, type } }: { readonly event: PlanEvent }): ReactElement {
  if (type === 'out_message')
    return <OutputBlock>{visibleText(String(details['message'] ?? ''))}</OutputBlock>;
  const words = startWords[type] ?? type;
  if (type === 'plan_start' || type === 'plan_end')
    return <span>{visibleText(`${words} ${String(details['plan'] ?? '')}`)}</span>;
  const job = details['job-id'];
  return typeof job === 'string' ? <JobStep words={words} job={job} /> : <span>{words}</span>;
}

function JobStep({ job: id, words }: { readonly words: string; readonly job: string }): ReactElement {
  const { data: job } = useQuery(stepJob(id));
  return (
    <span className={styles.job}>
      <Link to="/jobs/$id" params={{ id }}>
        {job === undefined
          ? `${words}, job ${id}`
          : `${visibleText(stepText(words, jobTitle(job)))}, job ${id}`}
      </Link>
      {job === undefined ? undefined : (
        <>
          <JobStateMark state={job.state} />
          <span className={styles.muted}>{nodesText(job.node_count)}</span>
        </>
      )}
    </span>
  );
}

/** Jobs of plans are described as `task package`: the word is not said twice. */
function stepText(words: string, title: string): string {
  const isSaid = title.toLowerCase().startsWith(`${words.toLowerCase()} `);
  return isSaid ? words + title.slice(words.length) : `${words} ${title}`;
}
