/** Changes as clients of Puppet Enterprise's activity service know them: a change is a *commit* there. */

import { z } from 'zod';
import { checkShape } from '../../lib/check-shape.ts';
import { ServiceError } from '../../lib/service-error.ts';
import type { Author } from '../../platform/changes/index.ts';
import { countParameter } from '../../platform/http/index.ts';
import type { ActivityFilter, RecordedChange } from './activity.ts';
import type { ChangePage } from './store.ts';

/** The user that certificates stand for, in the words of RBAC. */
export interface CertificateSubject {
  readonly id: string;
}

type Filter = Omit<ActivityFilter, 'services'> & { readonly service: string | undefined };

const QueryItem = z.strictObject({
  subject_id: z.string().optional(),
  subject_type: z.string().optional(),
  object_id: z.string().optional(),
  object_type: z.string().optional(),
  ip_address: z.string().optional(),
  start: z.iso.datetime({ offset: true }).optional(),
  end: z.iso.datetime({ offset: true }).optional(),
});

/** @throws ServiceError `bad-request` naming the parameter */
export function decodeFirst(query: URLSearchParams, certificates: CertificateSubject, limit: number): Filter {
  const service = query.get('service_id');
  if (service === null) throw invalid('service_id', 'is missing');
  const ids = (name: 'object' | 'subject') => {
    const [type, id] = [query.get(`${name}_type`), query.get(`${name}_id`)];
    if (id !== null && type === null) throw invalid(`${name}_type`, `is missing: ${name}_id needs it`);
    if (type === null) return [];
    return id === null ? [{ type, id: undefined }] : id.split(',').map((each) => ({ type, id: each }));
  };
  const after = query.get('after_service_commit_time');
  return {
    service,
    ...pageOf(query, limit),
    after: after === null ? undefined : timeOf('after_service_commit_time', after),
    alternatives: {
      objects: ids('object').map(({ id, type }) => ({ kind: 'object', type, id })),
      authors: ids('subject').map(({ id, type }) => authorOf(type, id, certificates)),
      addresses: [],
      times: [],
    },
  };
}

/** @throws ServiceError `bad-request` naming the parameter */
export function decodeSecond(
  query: URLSearchParams,
  certificates: CertificateSubject,
  limit: number,
): Filter {
  const items = queryItems(query.get('query'));
  return {
    service: query.get('service_id') ?? undefined,
    ...pageOf(query, limit),
    after: undefined,
    alternatives: {
      objects: items.flatMap(({ object_id: id, object_type: type }) => {
        if (id !== undefined && type === undefined)
          throw invalid('query', 'has object_id without object_type');
        return type === undefined ? [] : [{ kind: 'object' as const, type, id }];
      }),
      authors: items.flatMap(({ subject_id: id, subject_type: type }) => {
        if (id !== undefined && type === undefined)
          throw invalid('query', 'has subject_id without subject_type');
        return type === undefined ? [] : [authorOf(type, id, certificates)];
      }),
      addresses: items.flatMap(({ ip_address: address }) =>
        address === undefined ? [] : [{ kind: 'address' as const, address }],
      ),
      times: items.flatMap(({ end, start }) =>
        start === undefined && end === undefined
          ? []
          : [
              {
                kind: 'time' as const,
                start: start === undefined ? undefined : new Date(start),
                end: end === undefined ? undefined : new Date(end),
              },
            ],
      ),
    },
  };
}

export function renderFirst(
  { changes, total }: ChangePage,
  filter: Filter,
  certificates: CertificateSubject,
) {
  return {
    commits: changes.map((change) => ({
      object: { id: change.object.id, name: change.object.name },
      subject: renderSubject(change.author, certificates),
      timestamp: change.time.toISOString(),
      events: change.events.map(({ message }) => ({ message })),
    })),
    offset: filter.offset,
    limit: filter.limit,
    'total-rows': total,
  };
}

export function renderSecond(
  { changes, total }: ChangePage,
  filter: Filter,
  certificates: CertificateSubject,
) {
  return {
    commits: changes.map((change) => ({
      service_id: change.object.service,
      objects: [{ id: change.object.id, name: change.object.name, type: change.object.type }],
      subject: renderSubject(change.author, certificates),
      timestamp: change.time.toISOString(),
      ip_address: change.author.address ?? null,
      events: change.events.map(({ action, message, what }) => ({ message, type: action, what })),
    })),
    offset: filter.offset,
    limit: filter.limit,
    'total-rows': total,
  };
}

/** One row for each event. */
export function renderRows(changes: readonly RecordedChange[], certificates: CertificateSubject) {
  return changes.flatMap(({ author, events, object, time }) => {
    const subject = renderSubject(author, certificates);
    return events.map(({ action, message, what }) => ({
      'Submit Time': time.toISOString(),
      'Subject Type': subjectTypeOf(author),
      'Subject Id': subject.id,
      'Subject Name': subject.name,
      'Object Type': object.type,
      'Object Id': object.id,
      'Object Name': object.name,
      Type: action,
      What: what,
      Description: `${action}_${what}`,
      Message: message,
    }));
  });
}

function renderSubject({ id, kind, name }: Author, certificates: CertificateSubject) {
  return { id: kind === 'certificate' ? certificates.id : id, name };
}

/** Certificates stand for a user, as in Puppet Enterprise. */
function subjectTypeOf({ kind }: Author): string {
  return kind === 'user' || kind === 'certificate' ? 'users' : kind;
}

function authorOf(type: string, id: string | undefined, certificates: CertificateSubject) {
  if (type !== 'users') {
    const kinds = (['server', 'webhook', 'anonymous'] as const).filter((kind) => kind === type);
    return { kind: 'author', authorKinds: kinds, id } as const;
  }
  if (id === certificates.id) return { kind: 'author', authorKinds: ['certificate'], id: undefined } as const;
  const authorKinds = id === undefined ? (['user', 'certificate'] as const) : (['user'] as const);
  return { kind: 'author', authorKinds, id } as const;
}

function queryItems(text: string | null): readonly z.infer<typeof QueryItem>[] {
  if (text === null) return [];
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalid('query', 'is not JSON');
  }
  const { data, error } = checkShape(z.array(QueryItem).max(100), value);
  if (data !== undefined) return data;
  const [issue] = error.issues;
  throw invalid('query', `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'invalid'}`);
}

function pageOf(query: URLSearchParams, usualLimit: number): Pick<Filter, 'limit' | 'offset' | 'order'> {
  const order = query.get('order') ?? 'desc';
  if (order !== 'asc' && order !== 'desc') throw invalid('order', `is '${order}'; expected: asc, desc`);
  return { order, offset: count(query, 'offset', 0), limit: count(query, 'limit', usualLimit) };
}

function count(query: URLSearchParams, name: string, otherwise: number): number {
  const refuse = (text: string) => invalid(name, `is '${text}'; expected: a number that is not negative`);
  return countParameter(query, name, refuse) ?? otherwise;
}

function timeOf(name: string, text: string): Date {
  if (checkShape(z.iso.datetime({ offset: true }), text).success) return new Date(text);
  throw invalid(name, `is '${text}'; expected: a time like 2026-01-31T12:00:00Z`);
}

function invalid(name: string, problem: string): ServiceError {
  return new ServiceError('bad-request', `The query parameter ${name} ${problem}`, {
    kind: 'puppetlabs.activity/invalid-query-parameter',
    details: { parameter: name },
  });
}
