import { ErrorValue, fault, type Value } from '../../pcore/index.ts';
import { type CallContext, defineFunction, type Lambda } from '../function.ts';
import { splitKey } from './dotted-key.ts';
import { NavigationError } from './navigation-error.ts';

/**
 * `get(value, 'a.b.0', default)`: digs into a value by a dotted path; the default for undef. A lambda gets the
 * error when a step is not possible.
 */
export const get = defineFunction({
  name: 'get',
  bytes: 'values',
  dispatches: [
    {
      parameters: [
        { type: 'Any', name: 'value' },
        { type: 'String', name: 'dotted_string' },
        { type: 'Any', name: 'default_value', arity: 'optional' },
      ],
      block: { type: 'Callable[1,1]', name: 'block', isOptional: true },
      call: (context, [value = null, path, defaultValue = null], block) =>
        getByPath(context, { value, path: String(path), defaultValue }, block),
    },
  ],
});

export interface Navigation {
  readonly value: Value;
  /** Segments with dots in between; `''` for the value itself. */
  readonly path: string;
  readonly defaultValue: Value;
}

/** What `get` and `getvar` do with a value that was found. */
export function getByPath(context: CallContext, navigation: Navigation, block: Lambda | undefined): Value {
  const { value, path, defaultValue } = navigation;
  if (value === null) return defaultValue;
  if (path === '') return value;
  // The reference splits `x.` and the path, and so finds a path that begins with a dot wrong.
  const segments = splitKey(`x.${path}`)?.slice(1);
  if (segments === undefined) throw fault('Syntax error in dotted-navigation string');
  try {
    return context.callFunction('dig', [value, ...segments]) ?? defaultValue;
  } catch (error) {
    const cause = navigationErrorOf(error);
    if (block === undefined || cause === undefined) throw error;
    return block.call([errorValueOf(cause)]);
  }
}

/** The error itself, or what it was made from when the evaluator has added the position. */
function navigationErrorOf(error: unknown): NavigationError | undefined {
  if (error instanceof NavigationError) return error;
  return error instanceof Error && error.cause instanceof NavigationError ? error.cause : undefined;
}

function errorValueOf(error: NavigationError): ErrorValue {
  return new ErrorValue(error.diagnostic.message, 'SLICE_ERROR', error.details, error.issueCode);
}
