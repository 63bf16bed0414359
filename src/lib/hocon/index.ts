/** HOCON, the notation of Puppet Server's configuration files and of one Hiera backend. */

import { type IncludeReader, parseTree } from './parse.ts';
import { resolveTree, type VariableReader } from './resolve.ts';
import { type HoconData, type HoconValue, hoconToData } from './value.ts';

export { type HoconData, HoconError, type HoconValue } from './value.ts';

export interface HoconOptions {
  /** Reads an included file; without it `include` is an error. */
  readonly include?: IncludeReader;
  /** What `${NAME}` means where the text does not define it: an environment variable. */
  readonly variable?: VariableReader;
}

/**
 * Reads a HOCON text, synchronously and without touching anything outside it.
 *
 * @returns integers as `bigint`, floats as `number`, objects as maps in the order of their keys
 * @throws HoconError naming the line
 * @see https://github.com/lightbend/config/blob/main/HOCON.md
 */
export function parseHoconValue(text: string, options: HoconOptions = {}): HoconValue {
  return resolveTree(parseTree(text, options.include), options.variable);
}

/** The same as plain data, which is enough for configuration files. */
export function parseHocon(text: string, options: HoconOptions = {}): HoconData {
  return hoconToData(parseHoconValue(text, options));
}
