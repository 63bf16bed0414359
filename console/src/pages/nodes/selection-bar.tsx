/** Actions on the selected nodes, or on all matching nodes. */

import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { mayDo } from '../../api/session.ts';
import { copyText } from '../../features/command-button.tsx';
import { usePageActions } from '../../features/page-actions.ts';
import { RunPuppetButton } from '../../features/run/run-puppet.tsx';
import { RunTaskButton } from '../../features/run/run-task-button.tsx';
import { useSession } from '../../features/session.ts';
import { nodesText } from '../../lib/jobs.ts';
import { scopeText } from '../../lib/targets.ts';
import { Button } from '../../ui/button.tsx';
import type { Selection } from '../../ui/data-table.tsx';
import styles from './filter.module.css';
import { PinQuestion } from './pin-question.tsx';
import { nodePages } from './queries.ts';

const route = getRouteApi('/nodes');

export function SelectionBar({ onSelect, selected }: Selection): ReactElement | undefined {
  const { data } = useInfiniteQuery(nodePages(route.useSearch()));
  const last = data?.pages.at(-1);
  if (last === undefined || last.total === 0) return undefined;
  const names = Array.from(selected).toSorted();
  const hasSelected = names.length > 0;
  return (
    <section aria-label="Actions" className={styles.selection}>
      <span role="status" className={styles.selected}>
        {hasSelected ? `${nodesText(names.length)} selected` : `All ${nodesText(last.total)} that match`}
      </span>
      <RunPuppetButton scope={hasSelected ? { nodes: names } : { query: last.pql }} />
      {hasSelected ? (
        <RunTaskButton kind="nodes" text={names.join(', ')} />
      ) : (
        <RunTaskButton kind="query" text={last.pql} />
      )}
      {hasSelected ? <OfSelected names={names} /> : undefined}
      {hasSelected ? (
        <Button look="quiet" onPress={() => onSelect(new Set())}>
          Select none
        </Button>
      ) : (
        <span className={styles.hint}>Select nodes to run only on them, to pin or to compare them.</span>
      )}
    </section>
  );
}

function OfSelected({ names }: { readonly names: readonly string[] }): ReactElement {
  const session = useSession();
  const [isPinning, setPinning] = useState(false);
  const mayPin = session.features.includes('classifier') && mayDo(session, 'node_groups', 'view');
  const [left, right] = names;
  const navigate = useNavigate();
  const those = scopeText({ nodes: names });
  usePageActions([
    ...(mayPin ? [{ title: `Pin ${those} to a group`, act: () => setPinning(true) }] : []),
    ...(names.length <= 2
      ? [
          {
            title: `Compare ${names.join(' and ')}`,
            act: () => void navigate({ to: '/compare', search: { left, right } }),
          },
        ]
      : []),
    {
      title: `Copy the certname${names.length === 1 ? '' : 's'} of ${those}`,
      act: () => copyText(names.join('\n')),
    },
  ]);
  return (
    <>
      {mayPin ? <Button onPress={() => setPinning(true)}>Pin to group</Button> : undefined}
      {names.length <= 2 ? (
        <Link to="/compare" search={{ left, right }}>
          Compare
        </Link>
      ) : undefined}
      {isPinning ? <PinQuestion names={names} onClose={() => setPinning(false)} /> : undefined}
    </>
  );
}
