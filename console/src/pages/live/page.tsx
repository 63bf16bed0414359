/** The Puppet agents of chosen nodes: run, look at, switch on and off; and servers one after the other. */

import { getRouteApi } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { mayDo } from '../../api/session.ts';
import { JobsOnly } from '../../features/jobs-only.tsx';
import { PageHeader } from '../../features/page-header.tsx';
import { useSession } from '../../features/session.ts';
import { Empty } from '../../ui/states.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { ControlPuppet } from './control-puppet.tsx';
import { RunInOrder } from './run-in-order.tsx';

const route = getRouteApi('/live');

export function LivePage(): ReactElement {
  return (
    <JobsOnly>
      <Live />
    </JobsOnly>
  );
}

function Live(): ReactElement {
  const { tab = 'control' } = route.useSearch();
  const navigate = route.useNavigate();
  const maySeeNodes = mayDo(useSession(), 'nodes', 'view_data');
  const select = (id: string) =>
    void navigate({
      search: ({ q, selected }) => (id === 'order' ? { tab: 'order' } : { q, selected }),
    });
  return (
    <>
      <PageHeader title="Live Management" />
      <Tabs
        label="What is done"
        selected={tab}
        onSelect={select}
        tabs={[
          {
            id: 'control',
            title: 'Control Puppet',
            render: () =>
              maySeeNodes ? (
                <ControlPuppet />
              ) : (
                <Empty title="You may not see nodes">
                  A role with the permission <code>nodes:view_data</code> lets you.
                </Empty>
              ),
          },
          { id: 'order', title: 'Run in order', render: () => <RunInOrder /> },
        ]}
      />
    </>
  );
}
