/** A run of a schedule: the job that it started, or why it started none. */

import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import type { ScheduledType, ScheduleRun } from '../../api/schedules.ts';
import { visibleText } from '../../lib/visible-text.ts';
import styles from './page.module.css';

interface RunLinkProps {
  readonly run: ScheduleRun;
  readonly type: ScheduledType;
}

export function RunLink({ run: { error, job }, type }: RunLinkProps): ReactElement {
  if (job === undefined)
    return (
      <span className={styles.failed} title={error}>
        {visibleText(error ?? 'not started')}
      </span>
    );
  return type === 'plan' ? (
    <Link to="/plan-jobs/$id" params={{ id: job.name }}>{`plan job ${job.name}`}</Link>
  ) : (
    <Link to="/jobs/$id" params={{ id: job.name }}>{`job ${job.name}`}</Link>
  );
}
