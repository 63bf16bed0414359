/** When something is to run, with the next times as the server computes them. */

import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { readNextRuns } from '../../api/schedules.ts';
import {
  type IntervalUnit,
  intervalUnits,
  type ScheduleDraft,
  type ScheduleKind,
  type ScheduleWire,
  scheduleOf,
} from '../../lib/schedules.ts';
import { exactTime, shortTime } from '../../lib/time.ts';
import { ChoiceField, TextField } from '../../ui/text-field.tsx';
import { useSettled } from '../../ui/use-settled.ts';
import styles from './run.module.css';

const kinds: readonly (readonly [ScheduleKind, string])[] = [
  ['cron', 'At fixed times (cron)'],
  ['interval', 'At an interval'],
  ['once', 'Once'],
];
const units = Object.keys(intervalUnits).map((each) => [each as IntervalUnit, each] as const);
const timeZones = ['UTC', ...Intl.supportedValuesOf('timeZone')];

export const ownTimeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

interface ScheduleFieldsProps {
  readonly draft: ScheduleDraft;
  readonly onChange: (draft: ScheduleDraft) => void;
}

export function ScheduleFields({ draft, onChange }: ScheduleFieldsProps): ReactElement {
  const set = (change: Partial<ScheduleDraft>) => onChange({ ...draft, ...change });
  return (
    <div className={styles.fields}>
      <ChoiceField label="Repeat" value={draft.kind} options={kinds} onChange={(kind) => set({ kind })} />
      {draft.kind === 'cron' ? (
        <>
          <TextField
            label="Times"
            value={draft.cron}
            onChange={(cron) => set({ cron })}
            isCode
            isRequired
            hint="Minute, hour, day of the month, month, day of the week"
          />
          <TextField
            label="Time zone"
            value={draft.timeZone}
            onChange={(timeZone) => set({ timeZone })}
            suggestions={timeZones}
          />
        </>
      ) : (
        <TextField
          label={draft.kind === 'once' ? 'Time' : 'First run'}
          type="datetime-local"
          value={draft.at}
          onChange={(at) => set({ at })}
          isRequired
          hint={`In ${ownTimeZone}`}
        />
      )}
      {draft.kind === 'interval' ? (
        <div className={styles.pair}>
          <TextField
            label="Every"
            type="number"
            value={draft.every}
            onChange={(every) => set({ every })}
            isRequired
          />
          <ChoiceField label="Unit" value={draft.unit} options={units} onChange={(unit) => set({ unit })} />
        </div>
      ) : undefined}
      <NextRuns schedule={scheduleOf(draft)} />
    </div>
  );
}

interface NextRunsProps {
  readonly schedule: ScheduleWire | undefined;
  /** Shown before the time zone. */
  readonly title?: string;
}

/** The next times of a schedule, or why it has none. */
export function NextRuns({ schedule, title = 'Next runs, in' }: NextRunsProps): ReactElement {
  const text = useSettled(schedule === undefined ? '' : JSON.stringify(schedule));
  const { data, error } = useQuery({
    queryKey: ['orchestrator', 'schedules', 'next', text],
    queryFn: ({ signal }) => readNextRuns(JSON.parse(text) as ScheduleWire, signal),
    enabled: text !== '',
    retry: false,
  });
  return (
    <div role="status" className={styles.next}>
      {text === '' ? (
        <p className={styles.warning}>Enter the times.</p>
      ) : error !== null ? (
        <p className={styles.mistake}>{error.message}</p>
      ) : (
        <>
          <p className={styles.label}>{`${title} ${ownTimeZone}`}</p>
          <ol>
            {data?.map((time) => (
              <li key={time}>
                <time dateTime={time} title={exactTime(new Date(time))}>
                  {shortTime(new Date(time))}
                </time>
              </li>
            ))}
          </ol>
        </>
      )}
    </div>
  );
}
