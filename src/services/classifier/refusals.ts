/** Messages about changes of groups that were refused. */

import { ServiceError } from '../../lib/service-error.ts';
import type { Group, GroupDefinition } from './group.ts';
import { renderGroup } from './render.ts';

export function rootRule(): ServiceError {
  const message = "Changing the root group's rule is not permitted.";
  return new ServiceError('unprocessable', message, { kind: 'root-rule-edit' });
}

export function stale({ name, serialNumber }: Group, submitted: number): ServiceError {
  const message = `Group "${name}" has changed: its serial number is ${serialNumber}, not ${submitted}.`;
  return new ServiceError('conflict', message, { kind: 'serial-number-conflict' });
}

export function sameIds(): ServiceError {
  return new ServiceError('unprocessable', 'The hierarchy has two groups with the same id.', {
    kind: 'uniqueness-violation',
  });
}

export function gone({ name }: GroupDefinition): ServiceError {
  const message = `Group "${name}" has been deleted.`;
  return new ServiceError('conflict', message, { kind: 'serial-number-conflict' });
}

export function hasChildren(group: Group, children: readonly Group[]): ServiceError {
  const names = children.map(({ name }) => JSON.stringify(name)).join(' ');
  return new ServiceError(
    'unprocessable',
    `The group cannot be deleted because it has children: [${names}]`,
    {
      kind: 'children-present',
      details: { group: renderGroup(group), children: children.map(renderGroup) },
    },
  );
}
