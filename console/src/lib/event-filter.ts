/** Which events are meant: by kind, time and subject, as conditions of PQL. */

import type { EventQuery } from '../../../src/services/console/wire.ts';
import { quoted, quotedPattern } from './pql.ts';

export type EventSubject = NonNullable<EventQuery['by']>;
export type EventOutcome = NonNullable<EventQuery['status']>;

export const subjectWords: Readonly<Record<EventSubject, string>> = {
  class: 'Class',
  node: 'Node',
  resource: 'Resource',
  message: 'Message',
};

export const outcomeWords: Readonly<Record<EventOutcome, string>> = {
  failed: 'Failed',
  corrective: 'Corrective change',
  intentional: 'Intentional change',
  noop: 'No-op',
  skipped: 'Skipped',
};

/** When: `last-run`, a time until now, or from one time to another. */
export interface EventTimes {
  /** `last-run`, `1h`, `24h`, `7d`, or an ISO time. */
  readonly from: string;
  /** An ISO time; until now when absent. */
  readonly to?: string | undefined;
}

export const timeWords: readonly (readonly [from: string, words: string])[] = [
  ['last-run', 'Last run of each node'],
  ['1h', 'Last hour'],
  ['24h', 'Last 24 hours'],
  ['7d', 'Last 7 days'],
];

const hours: Readonly<Record<string, number>> = { '1h': 1, '24h': 24, '7d': 168 };

/** The query parameters for a range of times. */
export function timesOf({ from, to }: EventTimes, now: Date): Pick<EventQuery, 'from' | 'latest' | 'to'> {
  if (from === 'last-run') return { latest: true };
  const until = to === undefined ? {} : { to };
  const length = hours[from];
  if (length === undefined) return { from, ...until };
  // A minute is exact enough, and the same question has the same answer for so long.
  const begin = Math.floor(now.getTime() / 60_000) * 60_000 - length * 3_600_000;
  return { from: new Date(begin).toISOString() };
}

const outcomeConditions: Readonly<Record<EventOutcome, readonly string[]>> = {
  failed: ['status = "failure"'],
  corrective: ['status = "success"', 'corrective_change = true'],
  intentional: ['status = "success"', '(corrective_change is null or corrective_change = false)'],
  noop: ['status = "noop"'],
  skipped: ['status = "skipped"'],
};

/** The same as conditions of PQL. @param subject - as the server writes it; null for events without one */
export function eventConditions(
  query: Pick<EventQuery, 'environment' | 'from' | 'latest' | 'status' | 'to'>,
  by: EventSubject,
  subject: string | null,
): readonly string[] {
  const { environment, from, latest, status, to } = query;
  return [
    ...(latest === true ? ['latest_report? = true'] : []),
    ...(from === undefined ? [] : [`timestamp >= ${quoted(from)}`]),
    ...(to === undefined ? [] : [`timestamp < ${quoted(to)}`]),
    ...(environment === undefined ? [] : [`environment = ${quoted(environment)}`]),
    ...(status === undefined ? [] : outcomeConditions[status]),
    ...subjectConditions(by, subject),
  ];
}

const columns = { class: 'containing_class', node: 'certname', message: 'message' } as const;

function subjectConditions(by: EventSubject, subject: string | null): readonly string[] {
  if (by !== 'resource')
    return [subject === null ? `${columns[by]} is null` : `${columns[by]} = ${quoted(subject)}`];
  const [, type = '', title = ''] = /^([^[]*)\[(.*)\]$/s.exec(subject ?? '') ?? [];
  return [`resource_type = ${quoted(type)}`, `resource_title = ${quoted(title)}`];
}

/** Conditions that a list of subjects has been searched by. */
export function searchCondition(by: EventSubject, text: string): readonly string[] {
  if (text === '') return [];
  return [`${by === 'resource' ? 'resource_title' : columns[by]} ~ ${quotedPattern(text)}`];
}
