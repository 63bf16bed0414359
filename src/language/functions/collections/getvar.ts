import { fault } from '../../pcore/index.ts';
import { defineFunction } from '../function.ts';
import { getByPath } from './get.ts';

const VARIABLE = /^((?:::)?(?:\w+::)*\w+)([\s\S]*)$/;

/** `getvar('a::b.c.0', default)`: a variable by its name, dug into by what follows; the default for undef. */
export const getvar = defineFunction({
  name: 'getvar',
  bytes: 'shown',
  dispatches: [
    {
      parameters: [
        { type: 'Pattern[/\\A(?:::)?(?:[a-z]\\w*::)*[a-z_]\\w*(?:\\.|\\Z)/]', name: 'get_string' },
        { type: 'Any', name: 'default_value', arity: 'optional' },
      ],
      block: { type: 'Callable[1,1]', name: 'block', isOptional: true },
      call: (context, [text, defaultValue = null], block) => {
        const [, name = '', rest = ''] = VARIABLE.exec(String(text)) ?? [];
        if (rest !== '' && !rest.startsWith('.'))
          throw fault(`First character after var name in get string must be a '.' - got ${rest.charAt(0)}`);
        const value = context.scope.find(name);
        if (value === undefined) return defaultValue;
        return getByPath(context, { value, path: rest.slice(1), defaultValue }, block);
      },
    },
    {
      parameters: [
        { type: 'String', name: 'get_string' },
        { type: 'Any', name: 'default_value', arity: 'optional' },
      ],
      block: { type: 'Callable', name: 'block', isOptional: true },
      isMismatch: true,
      call: () => 'The given string does not start with a valid variable name',
    },
  ],
});
