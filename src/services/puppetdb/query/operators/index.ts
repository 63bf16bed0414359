/** All operators that are conditions. */

import { and } from './and.ts';
import { comparing } from './comparisons.ts';
import { equals } from './equals.ts';
import { within } from './in.ts';
import { isNull } from './is-null.ts';
import { matches } from './matches.ts';
import { matchesPath } from './matches-path.ts';
import { not } from './not.ts';
import type { Operator } from './operator.ts';
import { or } from './or.ts';
import { subquery } from './subquery.ts';

export const operators: ReadonlyMap<string, Operator> = new Map([
  ['=', equals],
  ['~', matches],
  ['~>', matchesPath],
  ['>', comparing('>')],
  ['<', comparing('<')],
  ['>=', comparing('>=')],
  ['<=', comparing('<=')],
  ['and', and],
  ['or', or],
  ['not', not],
  ['null?', isNull],
  ['in', within],
  ['subquery', subquery],
]);

export type { OperatorContext } from './operator.ts';
