/** Which events: by what, of which kind, when. */

import { getRouteApi } from '@tanstack/react-router';
import { type ReactElement, useCallback } from 'react';
import { outcomeWords, subjectWords, timeWords } from '../../lib/event-filter.ts';
import { SearchField } from '../../ui/search-field.tsx';
import { Select } from '../../ui/select.tsx';
import styles from './page.module.css';
import { type EventsSearch, outcomes, subjects, usualFrom, usualStatus } from './search.ts';

const route = getRouteApi('/events');

export function Filter(): ReactElement {
  const { by = 'class', q = '', status = usualStatus } = route.useSearch();
  const navigate = route.useNavigate();
  const change = (changed: Partial<EventsSearch>) =>
    void navigate({ search: (before) => ({ ...before, ...changed }), replace: true });
  const find = useCallback(
    (text: string) =>
      void navigate({ search: (before) => ({ ...before, q: text.trim() || undefined }), replace: true }),
    [navigate],
  );
  return (
    <div className={styles.filter}>
      <Select
        label="Summed up by"
        value={by}
        options={subjects.map((each) => [each, `By ${subjectWords[each].toLowerCase()}`] as const)}
        onChange={(chosen) => change({ by: chosen === 'class' ? undefined : chosen, q: undefined })}
      />
      <Select
        label="Kind of event"
        value={status}
        options={[
          ...outcomes.map((each) => [each, outcomeWords[each]] as const),
          ['any', 'Any kind'] as const,
        ]}
        onChange={(chosen) => change({ status: chosen === usualStatus ? undefined : chosen })}
      />
      <Times />
      <SearchField
        label={`Search by ${subjectWords[by].toLowerCase()}`}
        value={q}
        placeholder={`Part of a ${subjectWords[by].toLowerCase()}`}
        onChange={find}
      />
    </div>
  );
}

const between = 'between';
const dayMs = 86_400_000;

function Times(): ReactElement {
  const { from = usualFrom, to } = route.useSearch();
  const navigate = route.useNavigate();
  const isUsual = timeWords.some(([each]) => each === from);
  const change = (times: Pick<EventsSearch, 'from' | 'to'>) =>
    void navigate({ search: (before) => ({ ...before, ...times }), replace: true });
  const choose = (chosen: string) => {
    if (chosen !== between) return change({ from: chosen === usualFrom ? undefined : chosen, to: undefined });
    const now = Date.now();
    change({ from: new Date(now - dayMs).toISOString(), to: new Date(now).toISOString() });
  };
  return (
    <>
      <Select
        label="Time"
        value={isUsual ? from : between}
        options={[...timeWords, [between, 'Between two times']]}
        onChange={choose}
      />
      {isUsual ? undefined : (
        <>
          <TimeField label="From" value={from} onChange={(time) => change({ from: time, to })} />
          <TimeField label="To" value={to} onChange={(time) => change({ from, to: time })} />
        </>
      )}
    </>
  );
}

interface TimeFieldProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly onChange: (time: string) => void;
}

/** In the zone of the browser. */
function TimeField({ label, onChange, value }: TimeFieldProps): ReactElement {
  const change = (local: string) => {
    const time = Date.parse(local);
    if (!Number.isNaN(time)) onChange(new Date(time).toISOString());
  };
  return (
    <input
      type="datetime-local"
      aria-label={label}
      className={styles.time}
      value={value === undefined ? '' : localTime(new Date(value))}
      onChange={(event) => change(event.target.value)}
    />
  );
}

/** `2026-11-24T22:00`, as the field wants it. */
function localTime(time: Date): string {
  const zoned = new Date(time.getTime() - time.getTimezoneOffset() * 60_000);
  return zoned.toISOString().slice(0, 16);
}
