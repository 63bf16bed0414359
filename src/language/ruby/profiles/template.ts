import { at, nameOf } from '../arguments.ts';
import { CALLING_SCOPE } from '../values/ruby-values.ts';
import { counted, type Profile, type SelfFunction } from './profile.ts';

const methods: ReadonlyMap<string, SelfFunction> = new Map<string, SelfFunction>([
  ['scope', counted(0, () => CALLING_SCOPE)],
  [
    'has_variable?',
    counted(1, (args, run) => {
      run.effects.beforeQuestion();
      return run.context.hasVariable(nameOf(at(args, 0)));
    }),
  ],
  ['classes', counted(0, (_args, run) => run.own([...run.context.classes]))],
  ['all_tags', counted(0, (_args, run) => run.own([...run.context.tags]))],
  ['file', counted(0, (_args, run) => run.context.file ?? null)],
]);

/** A template in ERB: `self` is what renders it, its instance variables are Puppet's. */
export const template: Profile = {
  find: (name) => methods.get(name),
  hasMethods: true,
  hasInstanceVariables: true,
  canRaise: true,
};
