/** The rows that PuppetDB answers to a query, as a table. */

import { Link } from '@tanstack/react-router';
import { type ReactElement, type ReactNode, useMemo } from 'react';
import { ExportButtons } from '../../features/export-buttons.tsx';
import { RunTaskButton } from '../../features/run/run-task-button.tsx';
import { durationText } from '../../lib/time.ts';
import { valueText, visibleText } from '../../lib/visible-text.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Empty } from '../../ui/states.tsx';
import styles from './page.module.css';
import { shownRows, type TimedAnswer } from './queries.ts';

interface ResultProps {
  readonly answer: TimedAnswer;
  readonly pql: string;
}

type Row = Readonly<Record<string, unknown>>;

interface NumberedRow {
  readonly number: number;
  readonly row: Row;
}

export function Result({ answer, pql }: ResultProps): ReactElement {
  const { hasMore, ms, rows } = answer;
  const names = useMemo(() => columnNames(rows), [rows]);
  const numbered = useMemo(() => rows.map((row, number) => ({ row, number })), [rows]);
  return (
    <>
      <div className={styles.summary}>
        <span role="status">
          {hasMore
            ? `The first ${shownRows.toLocaleString()} rows`
            : rows.length === 1
              ? '1 row'
              : `${rows.length.toLocaleString()} rows`}{' '}
          in {durationText(ms / 1000)}
        </span>
        {rows.length === 0 ? undefined : <ExportButtons list={{ list: 'query', pql }} />}
        {names.includes('certname') ? <RunTaskButton kind="query" text={pql} /> : undefined}
      </div>
      {rows.length === 0 ? (
        <Empty title="No rows match">The query is valid, but nothing matches its conditions.</Empty>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
        <section className={styles.table} aria-label="Rows of the answer" tabIndex={0}>
          <div style={{ minWidth: `min(${names.length * 160}px, 4000px)` }}>
            <DataTable
              label="Rows"
              columns={columnsOf(names)}
              rows={numbered}
              rowKey={({ number }) => String(number)}
            />
          </div>
        </section>
      )}
    </>
  );
}

/** Rows of one query mostly have the same columns; the first ones tell. */
function columnNames(rows: readonly Row[]): readonly string[] {
  return Array.from(new Set(rows.slice(0, 50).flatMap((row) => Object.keys(row))));
}

function columnsOf(names: readonly string[]): readonly Column<NumberedRow>[] {
  return names.map((name, index) => ({
    id: name,
    title: visibleText(name),
    width: 'minmax(140px, 1fr)',
    ...(index === 0 ? { narrow: 'first' as const } : index === 1 ? { narrow: 'detail' as const } : {}),
    render: ({ row }) => cell(name, row[name]),
  }));
}

function cell(name: string, value: unknown): ReactNode {
  if (value === null || value === undefined) return <span className={styles.muted}>null</span>;
  const text = valueText(value);
  if (name === 'certname' && typeof value === 'string')
    return (
      <Link to="/nodes/$certname" params={{ certname: value }}>
        {text}
      </Link>
    );
  if ((name === 'report' || name === 'latest_report_hash') && typeof value === 'string')
    return (
      <Link to="/reports/$hash" params={{ hash: value }}>
        {text}
      </Link>
    );
  return <span title={text.slice(0, 2000)}>{text.slice(0, 500)}</span>;
}
