import type { RubyNode } from '../../../lib/ruby-syntax/index.ts';
import type { Code } from '../run.ts';
import { calls } from './calls.ts';
import { controls } from './controls.ts';
import { literals } from './literals.ts';
import type { Lowering } from './lowering.ts';
import { variables } from './variables.ts';

export type Lowerer = (node: RubyNode, lowering: Lowering) => Code;

/** By the kinds of prism's nodes. What is absent is not modelled. */
export const lowerers: ReadonlyMap<string, Lowerer> = new Map(
  Object.entries({ ...literals, ...variables, ...controls, ...calls }),
);
