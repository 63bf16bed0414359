/** What is told of a class that a node group names and no code has. */

import { ServiceError } from '../../lib/service-error.ts';
import type { Node } from './termini.ts';

/** What the reference says of classes that the classifier named: without a place, since no manifest names them. */
const missing = /^Could not find class (\S+) for \S+ on node \S+$/;

/**
 * The failure of a compile, with the groups that name the class where that is what is missing: an operator looks for it in
 * manifests otherwise.
 */
export function withClassSource(error: unknown, { classSources = {} }: Node): unknown {
  if (!(error instanceof ServiceError)) return error;
  const name = canonical(missing.exec(error.message)?.[1] ?? '');
  const groups = Object.entries(classSources).find(([each]) => canonical(each) === name)?.[1] ?? [];
  if (groups.length === 0) return error;
  const { cause, details, kind, reason } = error;
  const plural = groups.length === 1 ? 'group' : 'groups';
  const message = `${error.message}; it is given by the node ${plural} ${groups.map((group) => `'${group}'`).join(', ')}`;
  return new ServiceError(reason, message, { details, cause, ...(kind === undefined ? {} : { kind }) });
}

function canonical(name: string): string {
  return name.replace(/^::/, '').toLowerCase();
}
