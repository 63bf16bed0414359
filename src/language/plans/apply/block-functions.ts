/** Functions of plans within `apply()`: those that only read are there, the others say that they are not. */

import type { BuiltinFunction } from '../../functions/index.ts';
import { atLine } from '../functions/module-path.ts';
import { planFunctions } from '../functions/plan-functions.ts';
import { PlanError } from '../plan-error.ts';
import type { PlanWorld } from '../plan-world.ts';

const READING: ReadonlySet<string> = new Set([
  'ctrl::do_until',
  'dir::children',
  'facts',
  'file::exists',
  'file::join',
  'file::read',
  'file::readable',
  'puppetdb_fact',
  'puppetdb_query',
  'system::env',
  'vars',
]);

/** Those of the language, which mean something else in plans. */
const OF_CATALOGS: ReadonlySet<string> = new Set([
  'contain',
  'create_resources',
  'include',
  'new',
  'realize',
  'require',
  'tag',
  'tagged',
]);

const OF_INVENTORY: ReadonlySet<string> = new Set(['get_target', 'get_targets']);

/** By name, for all blocks of one run of a plan. */
export function blockFunctions(world: PlanWorld): ReadonlyMap<string, BuiltinFunction> {
  const known = [...planFunctions(world)].filter(([name]) => !OF_CATALOGS.has(name));
  return new Map(
    known.map(([name, definition]) => [name, READING.has(name) ? definition : refused(name)] as const),
  );
}

function refused(name: string): BuiltinFunction {
  return {
    name,
    dispatches: [
      {
        parameters: [{ type: 'Any', name: 'args', arity: 'repeated' }],
        block: { isOptional: true },
        call: (context) => {
          if (OF_INVENTORY.has(name)) {
            const message = `The function '${name}' is not callable within an apply block`;
            throw PlanError.of('bolt.inventory/invalid-function-call', message);
          }
          const message = `Plan language function '${name}' cannot be used from declarative manifest code or apply blocks`;
          throw atLine(message, context.position);
        },
      },
    ],
  };
}
