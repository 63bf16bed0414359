/** Facts or packages of two nodes: what differs. */

import { type UseQueryOptions, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactElement, useCallback, useMemo } from 'react';
import { type ValueDifference, valueDifferences } from '../../lib/value-diff.ts';
import { valueText, visibleText } from '../../lib/visible-text.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { Empty, Failure, LoadingRows } from '../../ui/states.tsx';
import { useNarrow } from '../../ui/use-media.ts';
import styles from './page.module.css';

const route = getRouteApi('/compare');

type Values = ReadonlyMap<string, unknown> | null;

interface ValueSide {
  readonly certname: string;
  readonly read: (certname: string) => UseQueryOptions<Values>;
}

interface ValueDifferencesProps {
  readonly what: 'fact' | 'package';
  readonly left: ValueSide;
  readonly right: ValueSide;
}

export function ValueDifferences({ left, right, what }: ValueDifferencesProps): ReactElement {
  const [before, after] = [useQuery(left.read(left.certname)), useQuery(right.read(right.certname))];
  const failed = [before, after].find(({ data, isError }) => data === undefined && isError);
  if (failed !== undefined) return <Failed what={what} query={failed} />;
  if (before.data === undefined || after.data === undefined)
    return <LoadingRows label={`The ${what}s are loading`} />;
  const missing = before.data === null ? left : after.data === null ? right : undefined;
  if (before.data === null || after.data === null)
    return (
      <Empty title={`PuppetDB has no ${what}s of ${missing?.certname ?? ''}`}>
        {what === 'fact'
          ? 'Check the name; its agent sends them with each run.'
          : 'Its agent does not send them.'}
      </Empty>
    );
  return (
    <Differences what={what} left={before.data} right={after.data} names={[left.certname, right.certname]} />
  );
}

function Failed({
  query,
  what,
}: {
  readonly what: string;
  readonly query: UseQueryResult<Values>;
}): ReactElement {
  return (
    <Failure title={`The ${what}s can’t be shown`} error={query.error} onRetry={() => void query.refetch()} />
  );
}

interface DifferencesProps {
  readonly what: 'fact' | 'package';
  readonly left: ReadonlyMap<string, unknown>;
  readonly right: ReadonlyMap<string, unknown>;
  readonly names: readonly [left: string, right: string];
}

function Differences({ left, names, right, what }: DifferencesProps): ReactElement {
  const { find = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const isNarrow = useNarrow();
  const search = useCallback(
    (text: string) =>
      void navigate({ search: (before) => ({ ...before, find: text.trim() || undefined }), replace: true }),
    [navigate],
  );
  const all = useMemo(() => valueDifferences(left, right), [left, right]);
  if (all.length === 0) return <Empty title={`All ${left.size.toLocaleString()} ${what}s are the same`} />;
  const wanted = find.toLowerCase();
  const found = all.filter((row) =>
    [row.name, valueText(row.left), valueText(row.right)].some((text) => text.toLowerCase().includes(wanted)),
  );
  return (
    <>
      <div className={styles.filter}>
        <SearchField label="Search differences" value={find} placeholder="Name or value" onChange={search} />
        <span role="status" className={styles.muted}>
          {found.length.toLocaleString()} of {all.length.toLocaleString()}{' '}
          {all.length === 1 ? 'difference' : 'differences'}
        </span>
      </div>
      {found.length === 0 ? (
        <Empty title="No difference matches" />
      ) : (
        <DataTable
          label="Differences"
          columns={columnsOf(what, names, isNarrow)}
          rows={found}
          rowKey={({ name }) => name}
        />
      )}
    </>
  );
}

function columnsOf(
  what: string,
  [left, right]: readonly [string, string],
  isNarrow: boolean,
): readonly Column<ValueDifference>[] {
  const value = (id: 'left' | 'right', title: string): Column<ValueDifference> => ({
    id,
    title,
    width: 'minmax(160px, 2fr)',
    render: (row) => <Value row={row} side={id} />,
  });
  return [
    {
      id: 'name',
      title: what === 'fact' ? 'Fact' : 'Package',
      width: 'minmax(160px, 2fr)',
      narrow: 'first',
      render: ({ name }) => <span title={visibleText(name)}>{visibleText(name)}</span>,
    },
    ...(isNarrow
      ? [both]
      : [
          value('left', left === right ? `${left}, left` : left),
          value('right', right === left ? `${right}, right` : right),
        ]),
  ];
}

/** On a phone: left and right in the order of the fields above. */
const both: Column<ValueDifference> = {
  id: 'values',
  title: 'Left and right value',
  width: '1fr',
  narrow: 'detail',
  render: (row) => (
    <>
      <Value row={row} side="left" /> → <Value row={row} side="right" />
    </>
  ),
};

function Value({
  row,
  side,
}: {
  readonly row: ValueDifference;
  readonly side: 'left' | 'right';
}): ReactElement {
  if (!(side in row)) return <span className={styles.muted}>none</span>;
  return <code title={valueText(row[side])}>{valueText(row[side])}</code>;
}
