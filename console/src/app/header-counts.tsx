/** Counts in the header: running jobs and waiting certificate requests. Zero is hidden. */

import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { BadgeCheck, LoaderCircle } from 'lucide-react';
import type { ReactElement } from 'react';
import { maySeeCertificates, maySeeJobs, type Session } from '../api/session.ts';
import { useTopic } from '../features/live.ts';
import { requestsText, runningJobs, waitingRequests } from '../features/now-queries.ts';
import styles from './shell.module.css';

export function HeaderCounts({ session }: { readonly session: Session }): ReactElement {
  return (
    <div className={styles.counts}>
      {maySeeJobs(session) ? <Jobs /> : undefined}
      {maySeeCertificates(session) ? <Requests /> : undefined}
    </div>
  );
}

function Jobs(): ReactElement | undefined {
  useTopic('jobs');
  const { data: count = 0 } = useQuery(runningJobs());
  if (count === 0) return undefined;
  const words = count === 1 ? '1 job runs' : `${count.toLocaleString('en')} jobs run`;
  return (
    <Link to="/jobs" search={{ state: 'running' }} aria-label={words} title={words} className={styles.count}>
      <LoaderCircle size={16} aria-hidden />
      {count.toLocaleString('en')}
    </Link>
  );
}

function Requests(): ReactElement | undefined {
  useTopic('certificates');
  const { data: count = 0 } = useQuery(waitingRequests());
  if (count === 0) return undefined;
  const words = `${requestsText(count)} for certificates`;
  return (
    <Link to="/certificates" search={{}} aria-label={words} title={words} className={styles.count}>
      <BadgeCheck size={16} aria-hidden />
      {count}
    </Link>
  );
}
