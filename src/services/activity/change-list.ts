/** Changes as the console lists them: one row for each, the newest first, with the object before and after. */

import { z } from 'zod';
import { checkShape } from '../../lib/check-shape.ts';
import { csvLines } from '../../lib/csv.ts';
import { ServiceError } from '../../lib/service-error.ts';
import {
  type Access,
  countParameter,
  type HttpRequest,
  type Identity,
  json,
  type Route,
  route,
} from '../../platform/http/index.ts';
import { type RecordedChange, recordedServices } from './activity.ts';
import {
  type ChangeAnswer,
  type ChangePage,
  ChangePageWire,
  type WholeChange,
  WholeChangeWire,
} from './answers/wire.ts';
import type { ActivityStore, ChangeListFilter } from './store.ts';

export interface ChangeListOptions {
  readonly store: ActivityStore;
  readonly allow: Access;
  /** The services whose changes a client may see, and whether it may see all objects of one. */
  readonly visible: (identity: Identity, wanted: string | undefined) => readonly string[];
  readonly seesValues: (identity: Identity, change: RecordedChange) => boolean;
}

const path = '/activity-api/v2/changes';
const usualLimit = 100;
const mostRows = 500;
const mostExported = 50_000;

export function changeListRoutes({ allow, seesValues, store, visible }: ChangeListOptions): readonly Route[] {
  const list = async ({ identity, query }: HttpRequest, most: number, usual: number) => {
    const services = visible(identity, query.get('service') ?? undefined);
    return await store.list({ ...filterOf(query), services, limit: limitOf(query, most, usual) });
  };
  return [
    route({
      method: 'GET',
      path,
      allow,
      shapes: { answer: ChangePageWire },
      async handle(request) {
        const changes = await list(request, mostRows, usualLimit);
        const isFull = changes.length === limitOf(request.query, mostRows, usualLimit);
        return json({
          changes: changes.map(renderChange),
          next: isFull ? (changes.at(-1)?.id ?? null) : null,
        } satisfies ChangePage);
      },
    }),
    route({
      method: 'GET',
      path: `${path}.csv`,
      allow,
      async handle(request) {
        const lines = csvLines((await list(request, mostExported, mostExported)).flatMap(rowsOf));
        return {
          status: 200,
          headers: {
            'content-type': 'text/csv;charset=utf-8',
            'content-disposition': 'attachment; filename="activity.csv"',
          },
          body: lines.map((line) => `${line}\n`).join(''),
        };
      },
    }),
    route({
      method: 'GET',
      path: `${path}/:id`,
      allow,
      shapes: { answer: WholeChangeWire },
      async handle({ identity, params }) {
        const id = params['id'] ?? '';
        const change = /^\d{1,15}$/.test(id) ? await store.findChange(Number(id)) : undefined;
        if (change === undefined || !visible(identity, undefined).includes(change.object.service))
          throw new ServiceError('not-found', `There is no change ${id}`, {
            kind: 'bunraku.activity/unknown-change',
          });
        const hasValues = seesValues(identity, change);
        return json({
          ...renderChange(change),
          before: hasValues ? (change.before ?? null) : null,
          after: hasValues ? (change.after ?? null) : null,
          values_shown: hasValues,
        } satisfies WholeChange);
      },
    }),
  ];
}

/** Whether a user may see all objects of a kind, or this one of them. */
export function mayReadObject(identity: Identity, { object }: RecordedChange): boolean {
  if (identity.kind !== 'user') return false;
  const service = recordedServices.find((each) => each.service === object.service);
  if (service === undefined) return false;
  const { action, objectType } = service;
  return ['*', object.id].some((instance) => identity.permits({ objectType, action, instance }));
}

function renderChange({ after, author, before, events, id, object, time }: RecordedChange): ChangeAnswer {
  return {
    id,
    time: time.toISOString(),
    service: object.service,
    object: { type: object.type, id: object.id, name: object.name },
    by: { kind: author.kind, id: author.id, name: author.name },
    address: author.address ?? null,
    events: events.map(({ action, message, what }) => ({ action, what, message })),
    has_before: before !== undefined,
    has_after: after !== undefined,
  };
}

/** One row for each event. Cells that a spreadsheet would compute begin with an apostrophe. */
function rowsOf({ author, events, object, time }: RecordedChange) {
  return events.map(({ action, message, what }) =>
    Object.fromEntries(
      Object.entries({
        Time: time.toISOString(),
        By: author.name,
        'By kind': author.kind,
        Address: author.address ?? '',
        Service: object.service,
        'Object type': object.type,
        'Object ID': object.id,
        Object: object.name,
        Action: action,
        What: what,
        Message: message,
      }).map(([name, text]) => [name, /^[=+\-@\t\r]/.test(text) ? `'${text}` : text]),
    ),
  );
}

function filterOf(query: URLSearchParams): Omit<ChangeListFilter, 'services' | 'limit'> {
  const text = (name: string) => query.get(name) ?? undefined;
  const before = countParameter(query, 'before', (value) =>
    invalid('before', `is '${value}'; expected: a number`),
  );
  return {
    objectType: text('object_type'),
    objectId: text('object_id'),
    by: text('by'),
    words: text('q'),
    from: timeIn(query, 'from'),
    to: timeIn(query, 'to'),
    before,
  };
}

function limitOf(query: URLSearchParams, most: number, usual: number): number {
  const refuse = (value: string) => invalid('limit', `is '${value}'; expected: a number from 1 to ${most}`);
  const limit = countParameter(query, 'limit', refuse) ?? usual;
  if (limit < 1 || limit > most) throw refuse(String(limit));
  return limit;
}

function timeIn(query: URLSearchParams, name: string): Date | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  if (checkShape(z.iso.datetime({ offset: true }), text).success) return new Date(text);
  throw invalid(name, `is '${text}'; expected: a time like 2026-01-31T12:00:00Z`);
}

function invalid(name: string, problem: string): ServiceError {
  return new ServiceError('bad-request', `The query parameter ${name} ${problem}`, {
    kind: 'puppetlabs.activity/invalid-query-parameter',
    details: { parameter: name },
  });
}
