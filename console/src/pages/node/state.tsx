/** State of the node: last and next run, its server, its connection. */

import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import type { NodeRow } from '../../api/puppetdb.ts';
import { maySeeJobs, maySeeServers } from '../../api/session.ts';
import { useSession } from '../../features/session.ts';
import { Status } from '../../features/status.tsx';
import { commitOf } from '../../lib/code-version.ts';
import { dueState, expectedRun } from '../../lib/next-run.ts';
import { visibleText } from '../../lib/visible-text.ts';
import { Age } from '../../ui/age.tsx';
import { type Fact, FactList } from '../../ui/fact-list.tsx';
import { useNow } from '../../ui/use-now.ts';
import { connectionOf, lastReports, nodeStatus } from './queries.ts';
import { Retired } from './retired.tsx';

export function State({ node }: { readonly node: NodeRow }): ReactElement {
  const { certname } = node;
  const session = useSession();
  const { data: status } = useQuery(nodeStatus(certname));
  const { data: reports = [] } = useQuery(lastReports(certname));
  const { data: connection } = useQuery({ ...connectionOf(certname), enabled: maySeeJobs(session) });
  const [last] = reports;
  const next = node.deactivated === null ? expectedRun(reports) : undefined;
  const facts: readonly Fact[] = [
    ...(status ? [{ name: 'Last run', value: <Status status={status} /> }] : []),
    { name: 'Reported', value: <Age time={node.report_timestamp} /> },
    ...(next === undefined ? [] : [{ name: 'Next run', value: <Expected time={next} /> }]),
    { name: 'Environment', value: node.report_environment ?? node.catalog_environment ?? 'none yet' },
    ...(typeof last?.code_id === 'string'
      ? [{ name: 'Code version', value: <code>{commitOf(last.code_id)}</code> }]
      : []),
    ...(typeof last?.producer === 'string'
      ? [{ name: 'Server', value: <ServerName certname={last.producer} isLink={maySeeServers(session)} /> }]
      : []),
    ...(connection === undefined
      ? []
      : [{ name: 'PXP agent', value: connection.connected ? 'connected' : 'not connected' }]),
    { name: 'Facts', value: <Age time={node.facts_timestamp} /> },
    { name: 'Catalog', value: <Age time={node.catalog_timestamp} /> },
  ];
  return (
    <>
      <Retired node={node} />
      <FactList facts={facts} />
    </>
  );
}

/** By the interval of its last runs. */
function Expected({ time }: { readonly time: Date }): ReactElement {
  const due = dueState(time, useNow());
  if (due === 'now') return <>expected now</>;
  return (
    <>
      {due === 'overdue' ? 'due ' : ''}
      <Age time={time.toISOString()} />
    </>
  );
}

function ServerName({
  certname,
  isLink,
}: {
  readonly certname: string;
  readonly isLink: boolean;
}): ReactElement {
  if (!isLink) return <>{visibleText(certname)}</>;
  return (
    <Link to="/servers/$certname" params={{ certname }}>
      {visibleText(certname)}
    </Link>
  );
}
