/**
 * The table of changes. It is in the same database as the objects: a store writes an object and its change in one transaction, so
 * that there is never one without the other.
 */

import { encodeTimestamp, fixedSql, type Migration, type Statement, sql } from '../storage/index.ts';
import type { Change } from './change.ts';

export const changeMigrations: readonly Migration[] = [
  {
    component: 'changes',
    number: 1,
    name: 'changes',
    statements: ({ types }) => [
      `create table changes (
        id ${types.identity},
        changed_at ${types.timestamp} not null,
        service ${types.text} not null,
        object_type ${types.text} not null,
        object_id ${types.text} not null,
        object_name ${types.text} not null,
        author_kind ${types.text} not null,
        author_id ${types.text} not null,
        author_name ${types.text} not null,
        address ${types.text},
        events ${types.document} not null,
        before_change ${types.document},
        after_change ${types.document}
      )`,
      'create index changes_by_time on changes (changed_at)',
      'create index changes_by_object on changes (object_type, object_id)',
      'create index changes_by_author on changes (author_id)',
    ],
  },
  {
    component: 'changes',
    number: 2,
    name: 'how far changes were sent on',
    statements: ({ types }) => [
      `create table change_streams (sink ${types.text} not null primary key, last_id ${types.integer} not null)`,
    ],
  },
];

/** The columns that `insertChange` fills, with the number of the change. */
export const changeColumns = fixedSql(
  'id, changed_at, service, object_type, object_id, object_name, author_kind, author_id, author_name, address, events, ' +
    'before_change, after_change',
);

export function insertChange({ after, author, before, events, object, time }: Change): Statement {
  return sql`insert into changes
      (changed_at, service, object_type, object_id, object_name, author_kind, author_id, author_name, address, events,
        before_change, after_change)
    values (${encodeTimestamp(time)}, ${object.service}, ${object.type}, ${object.id}, ${object.name}, ${author.kind},
      ${author.id}, ${author.name}, ${author.address ?? null}, ${JSON.stringify(events)}, ${jsonOf(before)},
      ${jsonOf(after)})`;
}

function jsonOf(value: Change['before']): string | null {
  return value === undefined ? null : JSON.stringify(value);
}
