/** What has come of an action so far, node by node. */

import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { JobNodes } from '../../features/job-nodes.tsx';
import { jobById } from '../../features/job-queries.ts';
import { JobStateMark } from '../../features/job-state.tsx';
import { useTopic } from '../../features/live.ts';
import type { JobNode } from '../../lib/jobs.ts';
import { Pending } from '../../ui/loaded.tsx';
import styles from './page.module.css';

interface JobResultsProps {
  readonly id: string;
  readonly messageOf: (node: JobNode) => string | undefined;
}

export function JobResults({ id, messageOf }: JobResultsProps): ReactElement {
  const job = useQuery(jobById(id));
  useTopic(`job:${id}`);
  if (job.data === undefined) return <Pending query={job} what="The results" rows={2} />;
  return (
    <section aria-label="Results" className={styles.results}>
      <p className={styles.actions}>
        <JobStateMark state={job.data.state} />
        <Link to="/jobs/$id" params={{ id }}>{`Job ${id}`}</Link>
      </p>
      <JobNodes job={job.data} messageOf={messageOf} />
    </section>
  );
}
