/** One node: what state it is in, and what PuppetDB and the classifier know of it. */

import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import type { NodeRow } from '../../api/puppetdb.ts';
import { AsOf } from '../../features/as-of.tsx';
import { useTopic } from '../../features/live.ts';
import { PageHeader } from '../../features/page-header.tsx';
import { RunTaskButton } from '../../features/run/run-task-button.tsx';
import { Status } from '../../features/status.tsx';
import { Age } from '../../ui/age.tsx';
import { type Fact, FactList } from '../../ui/fact-list.tsx';
import { Pending } from '../../ui/loaded.tsx';
import { Empty } from '../../ui/states.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { Catalog } from './catalog.tsx';
import { Facts } from './facts.tsx';
import { Groups } from './groups.tsx';
import styles from './page.module.css';
import { nodeByName, nodeStatus, similarNames } from './queries.ts';
import { Reports } from './reports.tsx';
import { RunPuppet } from './run-puppet.tsx';
import { nodeTabs } from './search.ts';
import { Summary } from './summary.tsx';

const route = getRouteApi('/nodes/$certname');

export function NodePage(): ReactElement {
  const { certname } = route.useParams();
  const node = useQuery(nodeByName(certname));
  useTopic(`node:${certname}`);
  return (
    <>
      <PageHeader
        above={<Link to="/nodes">Nodes</Link>}
        title={certname}
        aside={
          <>
            {node.data ? <RunPuppet certname={certname} /> : undefined}
            {node.data ? <RunTaskButton kind="nodes" text={certname} /> : undefined}
            <AsOf query={node} />
          </>
        }
      >
        {node.data ? <State node={node.data} /> : undefined}
      </PageHeader>
      {node.data === undefined ? (
        <Pending query={node} what="The node" />
      ) : node.data === null ? (
        <Unknown certname={certname} />
      ) : (
        <Parts node={node.data} />
      )}
    </>
  );
}

function State({ node }: { readonly node: NodeRow }): ReactElement {
  const { data: status } = useQuery(nodeStatus(node.certname));
  const gone = node.deactivated ?? node.expired;
  const facts: readonly Fact[] = [
    ...(status ? [{ name: 'Last run', value: <Status status={status} /> }] : []),
    {
      name: 'Reported',
      value: <Age time={node.report_timestamp} />,
    },
    { name: 'Environment', value: node.report_environment ?? node.catalog_environment ?? 'none yet' },
    { name: 'Facts', value: <Age time={node.facts_timestamp} /> },
    { name: 'Catalog', value: <Age time={node.catalog_timestamp} /> },
  ];
  return (
    <>
      {gone === null ? undefined : (
        <p className={styles.note}>
          {node.deactivated === null ? 'Expired ' : 'Deactivated '}
          <Age time={gone} />: its facts and catalog no longer answer queries.
        </p>
      )}
      <FactList facts={facts} />
    </>
  );
}

function Parts({ node }: { readonly node: NodeRow }): ReactElement {
  const { tab = 'summary' } = route.useSearch();
  const navigate = route.useNavigate();
  const { certname } = node;
  const select = (id: string) => {
    const chosen = nodeTabs.find((each) => each === id);
    void navigate({ search: { tab: chosen === 'summary' ? undefined : chosen } });
  };
  return (
    <Tabs
      label="Parts of the node"
      selected={tab}
      onSelect={select}
      tabs={[
        { id: 'summary', title: 'Summary', render: () => <Summary node={node} /> },
        { id: 'facts', title: 'Facts', render: () => <Facts certname={certname} /> },
        { id: 'catalog', title: 'Catalog', render: () => <Catalog certname={certname} /> },
        { id: 'groups', title: 'Groups', render: () => <Groups certname={certname} /> },
        { id: 'reports', title: 'Reports', render: () => <Reports certname={certname} /> },
      ]}
    />
  );
}

function Unknown({ certname }: { readonly certname: string }): ReactElement {
  const { data: names = [] } = useQuery(similarNames(certname));
  return (
    <Empty title="No node of this name has sent anything yet">
      {names.length === 0 ? (
        <>
          <Link to="/nodes">All nodes</Link>
        </>
      ) : (
        <>
          Names like it:
          <ul>
            {names.map((name) => (
              <li key={name}>
                <Link to="/nodes/$certname" params={{ certname: name }}>
                  {name}
                </Link>
              </li>
            ))}
          </ul>
        </>
      )}
    </Empty>
  );
}
