/** One server: its services with their alerts, its code and load, and how it leaves. */

import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import type { InfrastructureStatus, ServerRow, ServiceRow } from '../../api/servers.ts';
import { mayDo, maySeeServers } from '../../api/session.ts';
import { AsOf } from '../../features/as-of.tsx';
import { useTopic } from '../../features/live.ts';
import { PageHeader } from '../../features/page-header.tsx';
import { RunPuppetButton } from '../../features/run/run-puppet.tsx';
import { infrastructure } from '../../features/server-queries.ts';
import { ServerState } from '../../features/server-state.tsx';
import { useSession } from '../../features/session.ts';
import { bytesText, environmentsBehind } from '../../lib/servers.ts';
import { exactTime } from '../../lib/time.ts';
import { visibleText } from '../../lib/visible-text.ts';
import { Age } from '../../ui/age.tsx';
import { Button } from '../../ui/button.tsx';
import { FactList } from '../../ui/fact-list.tsx';
import { Pending } from '../../ui/loaded.tsx';
import { Empty } from '../../ui/states.tsx';
import { DrainServer } from './drain-server.tsx';
import styles from './page.module.css';
import { RemoveServer } from './remove-server.tsx';

const route = getRouteApi('/servers/$certname');

export function ServerPage(): ReactElement {
  const { certname } = route.useParams();
  const session = useSession();
  const status = useQuery(infrastructure());
  const [asked, setAsked] = useState<'drain' | 'remove'>();
  const close = () => setAsked(undefined);
  useTopic('servers', maySeeServers(session));
  const server = status.data?.servers.find((each) => each.certname === certname);
  const mayRemove =
    server !== undefined && server.role !== 'primary' && mayDo(session, 'infrastructure', 'edit');
  return (
    <>
      <PageHeader
        above={<Link to="/servers">Servers</Link>}
        title={certname}
        aside={
          <>
            {server === undefined ? undefined : <RunPuppetButton scope={{ nodes: [certname] }} />}
            {mayRemove ? (
              <>
                {server.state === 'unreachable' || server.state === 'leaving' ? undefined : (
                  <Button onPress={() => setAsked('drain')}>Drain</Button>
                )}
                <Button onPress={() => setAsked('remove')}>Remove</Button>
              </>
            ) : undefined}
            <AsOf query={status} />
          </>
        }
      />
      {status.data === undefined ? (
        <Pending query={status} what="The server" />
      ) : server === undefined ? (
        <Empty title="No server of this name has joined">It may have left. See Servers for all others.</Empty>
      ) : (
        <Server server={server} status={status.data} />
      )}
      {server !== undefined && asked === 'drain' ? (
        <DrainServer server={server} onClose={close} />
      ) : undefined}
      {server !== undefined && asked === 'remove' ? (
        <RemoveServer server={server} onClose={close} />
      ) : undefined}
    </>
  );
}

interface ServerProps {
  readonly server: ServerRow;
  readonly status: InfrastructureStatus;
}

function Server({ server, status }: ServerProps): ReactElement {
  const services = status.services.filter((each) => each.server === server.certname);
  const { load } = server;
  return (
    <div className={styles.page}>
      <FactList
        facts={[
          {
            name: 'State',
            value: <ServerState state={server.state} alerts={services.flatMap(({ alerts }) => alerts)} />,
          },
          { name: 'Role', value: server.role },
          { name: 'Version', value: server.version ?? 'Unknown' },
          { name: 'Address', value: server.url ?? 'Unknown' },
          { name: 'Last contact', value: <Age time={server.last_contact} /> },
          { name: 'Certificate ends', value: <Age time={server.certificate_ends_at} otherwise="unknown" /> },
          ...(server.joined_at === null
            ? []
            : [{ name: 'Joined', value: exactTime(new Date(server.joined_at)) }]),
          { name: 'Outbox', value: messagesText(server.undelivered) },
          ...(load === null
            ? []
            : [
                {
                  name: 'Compiles',
                  value: `${load.busy_workers} of ${load.workers} workers busy, ${load.queued} queued`,
                },
                { name: 'Load average', value: `${load.load_average.toFixed(2)} on ${load.cores} cores` },
                { name: 'Memory', value: bytesText(load.resident_bytes) },
              ]),
          {
            name: 'Node',
            value: (
              <Link to="/nodes/$certname" params={{ certname: server.certname }}>
                Runs, facts and catalog
              </Link>
            ),
          },
        ]}
      />
      {server.state === 'leaving' ? (
        <p className={styles.warning}>
          The server is leaving: it drains and delivers its outbox. Then its certificate is revoked, and it is
          removed from this list.
        </p>
      ) : undefined}
      {server.state === 'unreachable' ? (
        <p className={styles.warning}>
          The server does not report to the primary. Load balancers with health checks send agents to the
          other servers meanwhile.
        </p>
      ) : undefined}
      <Services services={services} />
      <Code server={server} primary={status.servers[0] ?? server} />
    </div>
  );
}

function messagesText(count: number): string {
  return count === 1 ? '1 message' : `${count.toLocaleString('en')} messages`;
}

function Services({ services }: { readonly services: readonly ServiceRow[] }): ReactElement {
  return (
    <section aria-labelledby="services">
      <h2 id="services">Services</h2>
      <ul className={styles.rows}>
        {services.map(({ alerts, display_name: name, service, state, url }) => (
          <li key={service}>
            <span className={styles.name}>{visibleText(name)}</span>
            <ServerState state={state} alerts={alerts} />
            <span className={styles.hint}>{visibleText(url)}</span>
            {alerts.map(({ message }) => (
              <p key={message} className={styles.warning}>
                {visibleText(message)}
              </p>
            ))}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Code({
  primary,
  server,
}: {
  readonly primary: ServerRow;
  readonly server: ServerRow;
}): ReactElement {
  const names = Array.from(new Set([...Object.keys(primary.code), ...Object.keys(server.code)])).sort();
  const behind = environmentsBehind(server, primary);
  return (
    <section aria-labelledby="code">
      <h2 id="code">Code</h2>
      {names.length === 0 ? <p className={styles.hint}>No environments.</p> : undefined}
      <ul className={styles.rows}>
        {names.map((name) => (
          <li key={name}>
            <span className={styles.name}>{visibleText(name)}</span>
            <code>{server.code[name]?.slice(0, 12) ?? 'not deployed'}</code>
            {behind.includes(name) ? (
              <span className={styles.warning}>
                behind: the primary serves <code>{primary.code[name]?.slice(0, 12)}</code>
              </span>
            ) : undefined}
          </li>
        ))}
      </ul>
    </section>
  );
}
