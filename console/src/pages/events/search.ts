/** The part of the address that belongs to events. */

import { type EventOutcome, type EventSubject, outcomeWords, subjectWords } from '../../lib/event-filter.ts';
import { oneIn, type RawSearch, textIn, timeIn } from '../../lib/search-text.ts';

export const subjects = Object.keys(subjectWords) as readonly EventSubject[];
export const outcomes = Object.keys(outcomeWords) as readonly EventOutcome[];

export interface EventsSearch {
  /** By class when absent. */
  readonly by?: EventSubject | undefined;
  /** Failures when absent. */
  readonly status?: EventOutcome | 'any' | undefined;
  /** `last-run`, `1h`, `7d` or an ISO time; the last 24 hours when absent. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly environment?: string | undefined;
  /** A part of the subject. */
  readonly q?: string | undefined;
  /** The class, node, resource or message whose events are listed. */
  readonly subject?: string | undefined;
}

export const usualStatus = 'failed';
export const usualFrom = '24h';

export function eventsSearch(search: RawSearch): EventsSearch {
  const [by, status] = [
    oneIn(search, 'by', subjects),
    oneIn(search, 'status', [...outcomes, 'any'] as const),
  ];
  const from = beginIn(search);
  return {
    by: by === 'class' ? undefined : by,
    status: status === usualStatus ? undefined : status,
    from: from === usualFrom ? undefined : from,
    to: timeIn(search, 'to'),
    environment: textIn(search, 'environment'),
    q: textIn(search, 'q'),
    subject: textIn(search, 'subject'),
  };
}

function beginIn(search: RawSearch): string | undefined {
  const text = textIn(search, 'from') ?? '';
  return /^(?:last-run|1h|24h|7d)$/.test(text) ? text : timeIn(search, 'from');
}
