import { fault, infer, inspect, isArray, isInteger, PuppetHash, type Value } from '../../pcore/index.ts';
import { defineFunction } from '../function.ts';
import { NavigationError } from './navigation-error.ts';

/** `dig(data, *keys)`: the value that is reached by the keys and indexes one after the other; undef when a step ends. */
export const dig = defineFunction({
  name: 'dig',
  bytes: 'values',
  dispatches: [
    {
      parameters: [
        { type: 'Optional[Collection]', name: 'data' },
        { type: 'Any', name: 'arg', arity: 'repeated' },
      ],
      call: (_context, [data = null, ...keys]) => digInto(data, keys),
    },
  ],
});

/** @throws NavigationError when a step is not possible */
function digInto(data: Value, keys: readonly Value[]): Value {
  let current = data;
  for (const [step, key] of keys.entries()) {
    if (current === null || key === null) return null;
    if (!isArray(current) && !(current instanceof PuppetHash))
      throw noCollection(keys.slice(0, step), current);
    if (current instanceof PuppetHash) current = current.get(key) ?? null;
    else if (isInteger(key)) current = current.at(Number(key)) ?? null;
    else throw noInteger(keys.slice(0, step + 1), key);
  }
  return current;
}

function noCollection(path: readonly Value[], value: Value): Error {
  const type = infer(value);
  const message = `The given data does not contain a Collection at ${inspect(path)}, got '${type}'`;
  const details = PuppetHash.from({ walked_path: path, value_type: type });
  return new NavigationError(fault(message).diagnostic, 'EXPECTED_COLLECTION', details);
}

function noInteger(path: readonly Value[], key: Value): Error {
  const type = infer(key);
  const message = `The given data requires an Integer index at ${inspect(path)}, got '${type}'`;
  const details = PuppetHash.from({ walked_path: path, index_type: type });
  return new NavigationError(fault(message).diagnostic, 'EXPECTED_INTEGER_INDEX', details);
}
