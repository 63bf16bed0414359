/** One node: what state it is in, and what PuppetDB and the classifier know of it. */

import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import type { NodeRow } from '../../api/puppetdb.ts';
import { maySeeActivity, maySeeCertificates } from '../../api/session.ts';
import { AsOf } from '../../features/as-of.tsx';
import { useTopic } from '../../features/live.ts';
import { PageHeader } from '../../features/page-header.tsx';
import { RunPuppetButton } from '../../features/run/run-puppet.tsx';
import { RunTaskButton } from '../../features/run/run-task-button.tsx';
import { useSession } from '../../features/session.ts';
import { Pending } from '../../ui/loaded.tsx';
import { Empty } from '../../ui/states.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { Catalog } from './catalog.tsx';
import { DisableAgentButton } from './disable-agent.tsx';
import { Facts } from './facts.tsx';
import { Groups } from './groups.tsx';
import { Activity, Certificate, Packages } from './own-lists.tsx';
import { nodeByName, similarNames } from './queries.ts';
import { Reports } from './reports.tsx';
import { RetireButton } from './retire.tsx';
import { nodeTabs } from './search.ts';
import { State } from './state.tsx';
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
            {node.data ? <Actions node={node.data} /> : undefined}
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

/** Actions on an active node; a retired node has none. */
function Actions({ node }: { readonly node: NodeRow }): ReactElement {
  const { certname, deactivated } = node;
  if (deactivated !== null) return <></>;
  return (
    <>
      <RunPuppetButton scope={{ nodes: [certname] }} />
      <RunTaskButton kind="nodes" text={certname} />
      <DisableAgentButton certname={certname} />
      <RetireButton node={node} />
    </>
  );
}

function Parts({ node }: { readonly node: NodeRow }): ReactElement {
  const session = useSession();
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
        { id: 'packages', title: 'Packages', render: () => <Packages certname={certname} /> },
        ...(maySeeActivity(session)
          ? [{ id: 'activity', title: 'Activity', render: () => <Activity certname={certname} /> }]
          : []),
        ...(maySeeCertificates(session)
          ? [{ id: 'certificate', title: 'Certificate', render: () => <Certificate certname={certname} /> }]
          : []),
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
          Similar names:
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
