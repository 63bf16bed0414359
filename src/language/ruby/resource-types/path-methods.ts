/** Methods of versions, paths and regular expressions: what `language/ruby` does not know of them. */

import { directoryName, joinPaths, resolvePath } from '../values/file-names.ts';
import type { Call } from './calls.ts';
import { GemVersion, RubyPath, RubyRegexp, textOf, type Value } from './values.ts';

/** @returns `undefined` for other methods */
export function callOwn(receiver: Value, { args, name }: Call): Value | undefined {
  if (receiver instanceof RubyPath) return onPath(receiver, name, args);
  if (receiver instanceof GemVersion) return onVersion(receiver, name, args);
  if (!(receiver instanceof RubyRegexp) || args.length > 0) return undefined;
  if (name === 'source') return receiver.written;
  return name === 'to_s' ? receiver.embedded() : undefined;
}

function onPath({ path }: RubyPath, name: string, args: readonly Value[]): Value | undefined {
  switch (name) {
    case '+':
    case '/':
      return new RubyPath(resolvePath(path, textOf(args[0] ?? null)));
    case 'join':
      return new RubyPath(joinPaths([path, ...args.map(textOf)]));
    case 'dirname':
    case 'parent':
      return new RubyPath(directoryName(path));
    case 'expand_path':
    case 'realpath':
      return new RubyPath(resolvePath('/', path));
    case 'to_s':
      return path;
    default:
      return undefined;
  }
}

function onVersion(version: GemVersion, name: string, [other]: readonly Value[]): Value | undefined {
  const right = typeof other === 'string' && /^\d+(\.\d+)*$/.test(other) ? new GemVersion(other) : other;
  if (!(right instanceof GemVersion)) return undefined;
  const order = version.compare(right);
  switch (name) {
    case '<':
      return order < 0;
    case '<=':
      return order <= 0;
    case '>':
      return order > 0;
    case '>=':
      return order >= 0;
    case '==':
      return version.text === right.text;
    case '!=':
      return version.text !== right.text;
    default:
      return undefined;
  }
}
