/** The card Now: jobs, requests, code, capacity, alerts. Each part needs the permission of its page. */

import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import {
  maySeeCertificates,
  maySeeDeploys,
  maySeeJobs,
  maySeeScaling,
  maySeeServers,
} from '../../api/session.ts';
import { codeStatus } from '../../features/code-queries.ts';
import { useTopic } from '../../features/live.ts';
import { runningJobs, waitingRequests } from '../../features/now-queries.ts';
import { infrastructure } from '../../features/server-queries.ts';
import { useSession } from '../../features/session.ts';
import { convergenceText, serversOf } from '../../lib/convergence.ts';
import { visibleText } from '../../lib/visible-text.ts';
import { Age } from '../../ui/age.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import styles from './page.module.css';
import { scaling } from './queries.ts';

export function Now(): ReactElement | undefined {
  const session = useSession();
  const parts = [
    maySeeServers(session) ? <Alerts key="alerts" /> : undefined,
    maySeeJobs(session) ? <Jobs key="jobs" /> : undefined,
    maySeeCertificates(session) ? <Requests key="requests" /> : undefined,
    maySeeDeploys(session) ? <LastDeploy key="deploy" /> : undefined,
    maySeeScaling(session) ? <Capacity key="capacity" /> : undefined,
    maySeeServers(session) ? <Certificates key="certificates" /> : undefined,
  ].filter((part) => part !== undefined);
  if (parts.length === 0) return undefined;
  return (
    <section aria-labelledby="now">
      <h2 id="now">Now</h2>
      <ul className={styles.now}>{parts}</ul>
    </section>
  );
}

function Jobs(): ReactElement {
  useTopic('jobs');
  const jobs = useQuery(runningJobs());
  return (
    <li>
      <Loaded query={jobs} what="The jobs" rows={1}>
        {(count) => (
          <Link to="/jobs" search={{ state: 'running' }}>
            {count === 0
              ? 'No running jobs'
              : count === 1
                ? '1 running job'
                : `${count.toLocaleString('en')} running jobs`}
          </Link>
        )}
      </Loaded>
    </li>
  );
}

function Requests(): ReactElement {
  useTopic('certificates');
  const requests = useQuery(waitingRequests());
  return (
    <li>
      <Loaded query={requests} what="The requests" rows={1}>
        {(count) => (
          <Link to="/certificates" search={{}}>
            {count === 0
              ? 'No certificate requests'
              : count === 1
                ? '1 certificate request'
                : `${count.toLocaleString('en')} certificate requests`}
          </Link>
        )}
      </Loaded>
    </li>
  );
}

function LastDeploy(): ReactElement {
  useTopic('code');
  const code = useQuery(codeStatus());
  return (
    <li>
      <Loaded query={code} what="The code" rows={1}>
        {(status) => {
          const { deployed } = status['file-sync-storage-status'];
          const [last] = deployed
            .filter(({ date }) => date !== null)
            .toSorted((a, b) => Date.parse(b.date ?? '') - Date.parse(a.date ?? ''));
          if (last === undefined) return <Link to="/code">No code has been deployed</Link>;
          const servers = serversOf(last, status['file-sync-client-status']['file-sync-clients']);
          return (
            <>
              <Link to="/code/$environment" params={{ environment: last.environment }}>
                {visibleText(last.environment)}
              </Link>{' '}
              was deployed <Age time={last.date} />, served by {convergenceText(servers)}
            </>
          );
        }}
      </Loaded>
    </li>
  );
}

function Capacity(): ReactElement {
  useTopic('scaling');
  const status = useQuery(scaling());
  return (
    <li>
      <Loaded query={status} what="The capacity" rows={1}>
        {({ advice, numbers }) => (
          <>
            <Link to="/scaling">{Math.round(numbers.capacity_used)} % of the compile servers’ capacity</Link>{' '}
            used; {advice.wanted === 1 ? '1 server' : `${advice.wanted} servers`} advised,{' '}
            {advice.servers === 0 ? 'only the primary compiles' : `${advice.servers} in service`}
          </>
        )}
      </Loaded>
    </li>
  );
}

const soonMs = 30 * 24 * 3_600_000;

function Certificates(): ReactElement {
  useTopic('servers');
  const status = useQuery(infrastructure());
  return (
    <li>
      <Loaded query={status} what="The certificates of servers" rows={1}>
        {({ servers }) => {
          const ending = servers.filter(
            ({ certificate_ends_at: end }) => end !== null && Date.parse(end) - Date.now() < soonMs,
          );
          const [first] = ending;
          if (first === undefined)
            return <Link to="/servers">No server certificate ends within 30 days</Link>;
          return (
            <>
              <Link to="/servers/$certname" params={{ certname: first.certname }}>
                {visibleText(first.certname)}
              </Link>
              {ending.length > 1 ? ` and ${ending.length - 1} more` : ''}: the certificate ends{' '}
              <Age time={first.certificate_ends_at} />
            </>
          );
        }}
      </Loaded>
    </li>
  );
}

const shownAlerts = 4;

function Alerts(): ReactElement {
  const status = useQuery(infrastructure());
  return (
    <li>
      <Loaded query={status} what="The alerts" rows={1}>
        {({ services }) => {
          const alerts = services.flatMap(({ alerts: all, display_name: service, server }) =>
            all.map(({ message, severity }) => ({ message, server, service, severity })),
          );
          if (alerts.length === 0) return <Link to="/servers">No alerts</Link>;
          return (
            <>
              <Link to="/servers">{alerts.length === 1 ? '1 alert' : `${alerts.length} alerts`}</Link>
              <ul className={styles.alerts}>
                {alerts.slice(0, shownAlerts).map(({ message, server, service }) => (
                  <li key={`${server} ${service} ${message}`}>
                    <strong>{visibleText(server)}</strong>, {service}: {visibleText(message)}
                  </li>
                ))}
              </ul>
            </>
          );
        }}
      </Loaded>
    </li>
  );
}
