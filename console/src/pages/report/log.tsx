/** What a run has logged. */

import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import type { LogRow } from '../../api/puppetdb.ts';
import { clockTime } from '../../lib/time.ts';
import { visibleText } from '../../lib/visible-text.ts';
import { Pending } from '../../ui/loaded.tsx';
import { Select } from '../../ui/select.tsx';
import { Empty } from '../../ui/states.tsx';
import styles from './page.module.css';
import { reportLogs } from './queries.ts';
import { type LogLevel, logLevels } from './search.ts';

const route = getRouteApi('/reports/$hash');

/** Least first; those above `err` count as it. */
const ranks: Readonly<Record<string, number>> = {
  debug: 0,
  info: 1,
  notice: 2,
  warning: 3,
  err: 4,
  alert: 4,
  emerg: 4,
  crit: 4,
};

const levelTitles: Readonly<Record<LogLevel, string>> = {
  debug: 'All levels',
  info: 'Info and above',
  notice: 'Notice and above',
  warning: 'Warnings and errors',
  err: 'Errors',
};

export function Log({ hash }: { readonly hash: string }): ReactElement {
  const { level = 'debug' } = route.useSearch();
  const navigate = route.useNavigate();
  const logs = useQuery(reportLogs(hash));
  if (logs.data === undefined) return <Pending query={logs} what="The log" />;
  if (logs.data.length === 0) return <Empty title="The run logged nothing" />;
  const shown = logs.data.filter((row) => (ranks[row.level] ?? 1) >= (ranks[level] ?? 0));
  const choose = (chosen: LogLevel) =>
    void navigate({ search: (before) => ({ ...before, level: chosen === 'debug' ? undefined : chosen }) });
  return (
    <>
      <div className={styles.logHead}>
        <Select
          label="Level"
          value={level}
          options={logLevels.map((each) => [each, levelTitles[each]] as const)}
          onChange={choose}
        />
        <span role="status">{`${shown.length} of ${logs.data.length} lines`}</span>
      </div>
      {shown.length === 0 ? (
        <Empty title="No line has this level">Choose a lower level.</Empty>
      ) : (
        <ol>
          {shown.map((row, index) => (
            <Line key={index} row={row} />
          ))}
        </ol>
      )}
    </>
  );
}

function Line({ row }: { readonly row: LogRow }): ReactElement {
  const source = row.source === null || row.source === 'Puppet' ? '' : `${row.source}: `;
  const place = row.file === null ? '' : ` (${row.file}${row.line === null ? '' : `:${row.line}`})`;
  return (
    <li className={styles.line}>
      <time className={styles.time} dateTime={row.time}>
        {clockTime(new Date(row.time))}
      </time>
      <span className={styles[row.level]}>{row.level}</span>
      <span className={styles.message}>{visibleText(`${source}${row.message}${place}`)}</span>
    </li>
  );
}
