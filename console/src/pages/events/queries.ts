/** Queries of the page of events. */

import type { UseQueryOptions } from '@tanstack/react-query';
import type { ExportedList } from '../../api/exports.ts';
import { type EventSums, sumEvents } from '../../api/fleet.ts';
import { type FleetEventRow, query } from '../../api/puppetdb.ts';
import { eventConditions, searchCondition, timesOf } from '../../lib/event-filter.ts';
import type { PqlQuery } from '../../lib/pql.ts';
import { type EventsSearch, usualFrom, usualStatus } from './search.ts';

export const shownSubjects = 500;
export const shownEvents = 500;

/** Without a subject in the address the list has none either. */
export const noSubject = '(none)';

function filterOf({ environment, from = usualFrom, status = usualStatus, to }: EventsSearch) {
  return {
    ...timesOf({ from, to }, new Date()),
    ...(status === 'any' ? {} : { status }),
    ...(environment === undefined ? {} : { environment }),
  };
}

/** The whole list of subjects. */
export function sumsExport(search: EventsSearch): ExportedList {
  const { by = 'class', q = '' } = search;
  return { list: 'events', ...filterOf(search), by, q };
}

export function eventSums(search: EventsSearch): UseQueryOptions<EventSums> {
  const { by = 'class', q = '', subject: _, ...kind } = search;
  return {
    queryKey: ['console', 'events', by, q, kind],
    queryFn: ({ signal }) =>
      sumEvents({ ...filterOf(search), by, ...(q === '' ? {} : { q }), limit: shownSubjects }, signal),
  };
}

/** The events of the subject, the latest first. */
function eventsQuery(search: EventsSearch, subject: string): PqlQuery {
  const { by = 'class' } = search;
  return {
    entity: 'events',
    columns: eventColumns,
    conditions: eventConditions(filterOf(search), by, subject === noSubject ? null : subject),
    orderBy: ['timestamp desc'],
    limit: shownEvents,
  };
}

const eventColumns: readonly (keyof FleetEventRow)[] = [
  'certname',
  'timestamp',
  'status',
  'resource_type',
  'resource_title',
  'property',
  'old_value',
  'new_value',
  'message',
  'file',
  'line',
  'corrective_change',
  'report',
];

interface SubjectEvents {
  readonly rows: readonly FleetEventRow[];
  /** What was asked. */
  readonly query: PqlQuery;
}

export function subjectEvents(search: EventsSearch, subject: string): UseQueryOptions<SubjectEvents> {
  return {
    queryKey: ['pdb', 'events', search, subject],
    async queryFn({ signal }) {
      const asked = eventsQuery(search, subject);
      return { query: asked, rows: await query<FleetEventRow>(asked, signal) };
    },
  };
}

/** The list of subjects as a query of PuppetDB, which counts events by node as well. */
export function sumsQuery(search: EventsSearch): PqlQuery {
  const { by = 'class', q = '' } = search;
  const column = {
    class: 'containing_class',
    node: 'certname',
    resource: 'resource_title',
    message: 'message',
  }[by];
  const conditions = eventConditions(filterOf(search), by, '').slice(0, by === 'resource' ? -2 : -1);
  return {
    entity: 'events',
    columns: [column, 'count()'],
    conditions: [...conditions, ...searchCondition(by, q)],
    groupBy: [column],
  };
}
