import { fault, isArray, PuppetHash, type Value } from '../../pcore/index.ts';
import { hieraFunction } from './hiera-function.ts';

/** `hiera_include(key, default, override)`: includes the classes that Hiera has under a key, all levels together. */
export const hieraInclude = hieraFunction({
  name: 'hiera_include',
  merge: 'unique',
  use: (context, key, value) => {
    if (value === null) throw fault(`Could not find data item ${key}`);
    return isEmpty(value) ? null : context.callFunction('include', [value]);
  },
});

function isEmpty(value: Value): boolean {
  if (isArray(value)) return value.length === 0;
  return value instanceof PuppetHash ? value.size === 0 : value === '';
}
