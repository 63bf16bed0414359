/** What was advised and what served when: the last day as a picture, everything as a list. */

import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import type { ScalingEntry, ScalingStatus } from '../../api/scaling.ts';
import { scalingSteps } from '../../lib/scaling.ts';
import { visibleText } from '../../lib/visible-text.ts';
import { Age } from '../../ui/age.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Pending } from '../../ui/loaded.tsx';
import { StepChart } from '../../ui/step-chart.tsx';
import { useNow } from '../../ui/use-now.ts';
import styles from './page.module.css';
import { scalingHistory } from './queries.ts';

const dayMs = 86_400_000;

export function History({ status }: { readonly status: ScalingStatus }): ReactElement {
  const history = useInfiniteQuery(scalingHistory());
  const entries = history.data?.pages.flat() ?? [];
  return (
    <section aria-labelledby="history">
      <h2 id="history">History</h2>
      {history.data === undefined ? (
        <Pending query={history} what="The history" />
      ) : entries.length === 0 ? (
        <p className={styles.hint}>
          No entries yet. Changes of the advice, the servers and the limits are recorded here and kept for 90
          days.
        </p>
      ) : (
        <>
          <Day entries={entries} status={status} />
          <DataTable
            label="History"
            columns={columns}
            rows={entries}
            rowKey={({ id }) => String(id)}
            {...(history.hasNextPage && !history.isFetchingNextPage
              ? { onMore: () => void history.fetchNextPage() }
              : {})}
          />
        </>
      )}
    </section>
  );
}

function Day({
  entries,
  status: { advice, servers },
}: {
  readonly entries: readonly ScalingEntry[];
  readonly status: ScalingStatus;
}): ReactElement {
  const nowMs = useNow().getTime();
  const serving = servers.filter(({ phase }) => phase === 'serving').length;
  const steps = scalingSteps(entries, { timeMs: nowMs, serving, wanted: advice.advised }, nowMs - dayMs);
  return (
    <StepChart
      label="Compile servers of the last 24 hours; the list below has the numbers"
      unit="servers, last 24 hours"
      fromMs={nowMs - dayMs}
      toMs={nowMs}
      lines={[
        {
          name: 'in service',
          colour: 'var(--accent)',
          steps: steps.map(({ serving: value, timeMs }) => ({ timeMs, value })),
        },
        {
          name: 'advised',
          colour: 'var(--corrective)',
          isDashed: true,
          steps: steps.map(({ timeMs, wanted: value }) => ({ timeMs, value })),
        },
      ]}
    />
  );
}

const columns: readonly Column<ScalingEntry>[] = [
  {
    id: 'message',
    title: 'Change',
    width: 'minmax(200px, 3fr)',
    narrow: 'first',
    render: ({ message }) => visibleText(message),
  },
  {
    id: 'serving',
    title: 'In service',
    width: '80px',
    isNumeric: true,
    render: ({ serving }) => serving,
  },
  {
    id: 'wanted',
    title: 'Advised',
    width: '72px',
    isNumeric: true,
    render: ({ wanted }) => wanted,
  },
  {
    id: 'need',
    title: 'Workers needed',
    width: '120px',
    isNumeric: true,
    render: ({ numbers }) => (numbers === null ? 'not known' : `${numbers.need} of ${numbers.capacity}`),
  },
  {
    id: 'time',
    title: 'When',
    width: '88px',
    narrow: 'end',
    isNumeric: true,
    render: ({ time }) => <Age time={time} />,
  },
];
