import { stringify } from '../../pcore/index.ts';
import { type BuiltinFunction, defineFunction, type LogLevel } from '../function.ts';

/** The function that logs its arguments, as they would be interpolated and joined with spaces, at `level`. */
export function logFunction(level: LogLevel): BuiltinFunction {
  return defineFunction({
    name: level,
    bytes: 'values',
    dispatches: [
      {
        parameters: [{ type: 'Any', name: 'values', arity: 'repeated' }],
        returns: 'Undef',
        call: (context, values) => {
          context.log(level, values.map(stringify).join(' '));
          return null;
        },
      },
    ],
  });
}
