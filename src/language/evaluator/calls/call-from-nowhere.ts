/** A call that no manifest makes: of a backend of lookups, of a resource type's file. */

import type { Compiler } from '../compiler.ts';
import { Unit } from '../runtime/unit.ts';
import type { CallSite } from './call-site.ts';

const UNIT = new Unit({ file: '', text: '' }, undefined);
const NODE: CallSite['node'] = {
  kind: 'CallNamedFunctionExpression',
  offset: 0,
  length: 0,
  functorExpr: { kind: 'Nop', offset: 0, length: 0 },
  args: [],
  lambda: undefined,
  rvalRequired: true,
};

export function callFromNowhere(compiler: Compiler): CallSite {
  return { frame: compiler.topScope.frame, unit: UNIT, node: NODE };
}
