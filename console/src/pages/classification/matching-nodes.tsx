/** The nodes that match a group as it is committed. */

import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { QuickLink } from '../../features/quick-link.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Pending } from '../../ui/loaded.tsx';
import { Empty } from '../../ui/states.tsx';
import { matchingNodes } from './queries.ts';

const columns: readonly Column<string>[] = [
  {
    id: 'certname',
    title: 'Certname',
    width: '1fr',
    narrow: 'first',
    render: (certname) => (
      <QuickLink link={{ to: '/nodes/$certname', params: { certname } }}>{certname}</QuickLink>
    ),
  },
];

interface MatchingNodesProps {
  readonly id: string;
  readonly isNew: boolean;
}

export function MatchingNodes({ id, isNew }: MatchingNodesProps): ReactElement {
  const nodes = useQuery({ ...matchingNodes(id), enabled: !isNew });
  if (isNew)
    return (
      <Empty title="The group is not committed yet">
        The preview of the commit shows which nodes will match.
      </Empty>
    );
  if (nodes.data === undefined) return <Pending query={nodes} what="The nodes" />;
  if (nodes.data === null)
    return <Empty title="PuppetDB can’t evaluate this rule">The page of each node shows its groups.</Empty>;
  if (nodes.data.length === 0)
    return <Empty title="No node matches">Pinned nodes are listed after their first run.</Empty>;
  return (
    <DataTable label="Matching nodes" columns={columns} rows={nodes.data} rowKey={(certname) => certname} />
  );
}
