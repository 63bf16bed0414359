/** `/pdb/admin/v1/cmd`: what is asked for. */

import { z } from 'zod';
import { checkShape } from '../../../lib/check-shape.ts';
import { QueryError } from '../query/query-error.ts';
import type { CleanRequest } from '../store/garbage.ts';
import { cleanTasks } from '../store/garbage.ts';

/** Those of the reference; what has nothing to do here is done with something else, or needs nothing. */
const taskNames = [
  'expire_nodes',
  'purge_nodes',
  'purge_reports',
  'gc_packages',
  'purge_resource_events',
  'gc_fact_paths',
  'gc_catalogs',
  'other',
] as const;

const CleanWire = z.strictObject({
  command: z.literal('clean'),
  version: z.literal(1),
  payload: z.array(
    z.union([
      z.enum(taskNames),
      z.tuple([z.literal('purge_nodes'), z.strictObject({ batch_limit: z.int() })]),
    ]),
  ),
});

const DeleteWire = z.strictObject({
  command: z.literal('delete'),
  version: z.literal(1),
  payload: z.strictObject({ certname: z.string() }),
});

export type AdminCommand =
  | { readonly kind: 'clean'; readonly request: CleanRequest }
  | { readonly kind: 'delete'; readonly certname: string };

/** @throws QueryError in the reference's words */
export function readAdminCommand(body: string): AdminCommand {
  const value = parse(body);
  const command = typeof value === 'object' && value !== null && 'command' in value ? value.command : null;
  if (command === 'clean') {
    const { data } = checkShape(CleanWire, value);
    if (data === undefined) throw invalid(body, 'nil');
    return { kind: 'clean', request: readRequest(data.payload) };
  }
  if (command === 'delete') {
    const { data } = checkShape(DeleteWire, value);
    if (data === undefined) throw invalid(body, 'nil');
    return { kind: 'delete', certname: data.payload.certname };
  }
  throw invalid(body, "Valid commands types are: 'clean' and 'delete'");
}

/** Nothing is everything; of several that are the same the last counts. */
function readRequest(payload: z.infer<typeof CleanWire>['payload']): CleanRequest {
  if (payload.length === 0) return { tasks: cleanTasks };
  const wanted = new Set(payload.map((each) => (typeof each === 'string' ? each : each[0])));
  const purge = payload.findLast((each) => (typeof each === 'string' ? each : each[0]) === 'purge_nodes');
  const limit = typeof purge === 'object' ? purge[1].batch_limit : undefined;
  const tasks = cleanTasks.filter(
    (task) => wanted.has(task) || (task === 'other' && wanted.has('gc_catalogs')),
  );
  return { tasks, ...(limit === undefined ? {} : { purgeLimit: limit }) };
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    // Said with the body itself.
    return undefined;
  }
}

function invalid(body: string, reason: string): QueryError {
  return new QueryError(`Invalid command ${JSON.stringify(body)}: ${reason}`);
}
