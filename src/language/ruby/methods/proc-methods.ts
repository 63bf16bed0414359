import type { RubyProc } from '../values/ruby-values.ts';
import { type MethodTable, plain } from './method.ts';

const call = plain(0, Infinity, (self: RubyProc, args) => self.call(args));

export const procMethods: MethodTable = {
  call,
  yield: call,
  '[]': call,
  '===': call,
  'lambda?': plain(0, 0, (self: RubyProc) => self.isLambda),
  to_proc: plain(0, 0, (self) => self),
};
