/** The nodes to choose from. */

import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactElement, useCallback } from 'react';
import type { ListedNode } from '../../api/nodes.ts';
import { useTopic } from '../../features/live.ts';
import { Status } from '../../features/status.tsx';
import { nodesText } from '../../lib/jobs.ts';
import { visibleText } from '../../lib/visible-text.ts';
import { Button } from '../../ui/button.tsx';
import { Pending } from '../../ui/loaded.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { Empty } from '../../ui/states.tsx';
import styles from './page.module.css';
import { selectableNodes } from './queries.ts';
import type { Selection } from './use-selection.ts';

const route = getRouteApi('/live');

interface NodeListProps {
  readonly selection: Selection;
  readonly onSelect: (selection: Selection) => void;
}

export function NodeList({ onSelect, selection }: NodeListProps): ReactElement {
  const { q = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const nodes = useInfiniteQuery(selectableNodes(q));
  useTopic('nodes');
  const search = useCallback(
    (text: string) =>
      void navigate({ search: (before) => ({ ...before, q: text.trim() || undefined }), replace: true }),
    [navigate],
  );
  const rows = nodes.data?.pages.flatMap((page) => page.rows) ?? [];
  const total = nodes.data?.pages.at(-1)?.total ?? 0;
  return (
    <section aria-label="Nodes to select" className={styles.nodes}>
      <SearchField label="Filter of nodes" value={q} placeholder="web status:failed" onChange={search} />
      <Summary rows={rows} total={total} selection={selection} onSelect={onSelect} />
      {nodes.data === undefined ? (
        <Pending query={nodes} what="The nodes" />
      ) : rows.length === 0 ? (
        <Empty title="No node matches" />
      ) : (
        <Choices rows={rows} total={total} selection={selection} onSelect={onSelect} />
      )}
      {nodes.hasNextPage ? (
        <Button isDisabled={nodes.isFetchingNextPage} onPress={() => void nodes.fetchNextPage()}>
          Show more nodes
        </Button>
      ) : undefined}
    </section>
  );
}

interface ChoicesProps extends NodeListProps {
  readonly rows: readonly ListedNode[];
  /** How many the filter finds, also those that are not here yet. */
  readonly total: number;
}

function Summary({ onSelect, rows, selection, total }: ChoicesProps): ReactElement {
  const chosen = selection === 'all' ? total : selection.length;
  return (
    <div className={styles.actions}>
      <Button onPress={() => onSelect(rows.length === total ? rows.map((row) => row.certname) : 'all')}>
        Select all
      </Button>
      <Button onPress={() => onSelect([])}>Select none</Button>
      <span role="status" className={styles.muted}>
        {chosen === 0 ? 'No nodes selected' : `${nodesText(chosen)} selected`}
      </span>
    </div>
  );
}

function Choices({ onSelect, rows, selection, total }: ChoicesProps): ReactElement {
  const toggle = (certname: string, isChosen: boolean) => {
    const names = selection === 'all' ? rows.map((row) => row.certname) : selection;
    onSelect(isChosen ? [...names, certname] : names.filter((name) => name !== certname));
  };
  return (
    <ul>
      {rows.map(({ certname, status }) => (
        <li key={certname}>
          <label className={styles.node}>
            <input
              type="checkbox"
              checked={selection === 'all' || selection.includes(certname)}
              disabled={selection === 'all' && rows.length < total}
              onChange={(event) => toggle(certname, event.target.checked)}
            />
            <span className={styles.certname}>{visibleText(certname)}</span>
            <Status status={status} isShort />
          </label>
        </li>
      ))}
    </ul>
  );
}
