/** The primary and all servers that have joined: how they are, and how others join. */

import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import type { InfrastructureStatus, ServerRow } from '../../api/servers.ts';
import { mayDo, maySeeServers } from '../../api/session.ts';
import { AsOf } from '../../features/as-of.tsx';
import { useTopic } from '../../features/live.ts';
import { PageHeader } from '../../features/page-header.tsx';
import { infrastructure } from '../../features/server-queries.ts';
import { ServerState } from '../../features/server-state.tsx';
import { useSession } from '../../features/session.ts';
import { codeText, environmentsBehind } from '../../lib/servers.ts';
import { visibleText } from '../../lib/visible-text.ts';
import { Age } from '../../ui/age.tsx';
import { Button } from '../../ui/button.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Pending } from '../../ui/loaded.tsx';
import { AddServer } from './add-server.tsx';
import { Joining } from './joining.tsx';
import styles from './page.module.css';

export function ServersPage(): ReactElement {
  const session = useSession();
  const status = useQuery(infrastructure());
  const [isAdding, setAdding] = useState(false);
  useTopic('servers', maySeeServers(session));
  const mayEdit = mayDo(session, 'infrastructure', 'edit');
  return (
    <>
      <PageHeader
        title="Servers"
        aside={
          <>
            {mayEdit ? <Button onPress={() => setAdding(true)}>Add compile server</Button> : undefined}
            <AsOf query={status} />
          </>
        }
      />
      <div className={styles.page}>
        {status.data !== undefined ? (
          <Servers status={status.data} />
        ) : (
          <Pending query={status} what="The servers" rows={4} />
        )}
        {mayEdit ? <Joining /> : undefined}
      </div>
      {isAdding ? <AddServer onClose={() => setAdding(false)} /> : undefined}
    </>
  );
}

function Servers({ status }: { readonly status: InfrastructureStatus }): ReactElement {
  const alerts = status.services.flatMap((service) =>
    service.alerts.map((alert) => ({ ...alert, service: service.display_name, server: service.server })),
  );
  return (
    <>
      {alerts.length === 0 ? undefined : (
        <ul className={styles.alerts} aria-label="Alerts">
          {alerts.map(({ message, server, service, severity }) => (
            <li
              key={`${server} ${service} ${message}`}
              className={severity === 'error' ? styles.error : undefined}
            >
              <strong>{visibleText(server)}</strong>, {service}: {visibleText(message)}
            </li>
          ))}
        </ul>
      )}
      <DataTable
        label="Servers"
        columns={columnsWith(status)}
        rows={status.servers}
        rowKey={({ certname }) => certname}
      />
    </>
  );
}

function columnsWith({ servers, services }: InfrastructureStatus): readonly Column<ServerRow>[] {
  const primary = servers[0] ?? { code: {} };
  const alertsOf = (certname: string) =>
    services.filter(({ server }) => server === certname).flatMap(({ alerts }) => alerts);
  return [
    {
      id: 'server',
      title: 'Server',
      width: 'minmax(160px, 2fr)',
      narrow: 'first',
      render: ({ certname }) => (
        <Link to="/servers/$certname" params={{ certname }}>
          {visibleText(certname)}
        </Link>
      ),
    },
    { id: 'role', title: 'Role', width: '96px', narrow: 'detail', render: ({ role }) => visibleText(role) },
    {
      id: 'state',
      title: 'State',
      width: '112px',
      narrow: 'end',
      render: ({ certname, state }) => <ServerState state={state} alerts={alertsOf(certname)} />,
    },
    { id: 'version', title: 'Version', width: '64px', render: ({ version }) => version ?? '' },
    {
      id: 'code',
      title: 'Code',
      width: 'minmax(112px, 1fr)',
      render: (server) => (
        <span className={environmentsBehind(server, primary).length > 0 ? styles.behind : undefined}>
          {visibleText(codeText(server, primary))}
        </span>
      ),
    },
    ...figures,
  ];
}

const figures: readonly Column<ServerRow>[] = [
  {
    id: 'compiles',
    title: 'Compiles',
    width: '80px',
    isNumeric: true,
    render: ({ load }) =>
      load === null
        ? ''
        : `${load.busy_workers} of ${load.workers}${load.queued > 0 ? ` + ${load.queued}` : ''}`,
  },
  {
    id: 'undelivered',
    title: 'Outbox',
    width: '56px',
    isNumeric: true,
    render: ({ undelivered }) => undelivered.toLocaleString('en'),
  },
  {
    id: 'certificate',
    title: 'Certificate ends',
    width: '96px',
    isNumeric: true,
    render: ({ certificate_ends_at: time }) => <Age time={time} otherwise="unknown" />,
  },
  {
    id: 'contact',
    title: 'Last contact',
    width: '80px',
    isNumeric: true,
    render: ({ last_contact: time }) => <Age time={time} />,
  },
];
