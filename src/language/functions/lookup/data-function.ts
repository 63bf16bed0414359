/** The functions that read data files for Hiera, called by functions that wrap them. */

import { DATA_READERS, LookupContext, LookupError } from '../../hiera/index.ts';
import { PuppetHash, type Value } from '../../pcore/index.ts';
import { type BuiltinFunction, type CallContext, defineFunction } from '../function.ts';

/** A function with the arguments (options with a `path`, context) that gives the data of the file. */
export function dataFunction(name: 'yaml_data' | 'json_data' | 'hocon_data'): BuiltinFunction {
  return defineFunction({
    name,
    dispatches: [
      {
        parameters: [
          { type: 'Struct[{path=>String[1]}]', name: 'options' },
          { type: 'Puppet::LookupContext', name: 'context' },
        ],
        call: (context, [options = null, lookupContext = null]) => {
          const path = options instanceof PuppetHash ? String(options.get('path')) : '';
          if (!(lookupContext instanceof LookupContext)) return null;
          return readDataFile(context, name, path, lookupContext);
        },
      },
      {
        parameters: [
          { type: 'Hash', name: 'options' },
          { type: 'Puppet::LookupContext', name: 'context' },
        ],
        isMismatch: true,
        call: () =>
          "one of 'path', 'paths' 'glob', 'globs' or 'mapped_paths' must be declared in hiera.yaml when using this data_hash function",
      },
    ],
  });
}

/** The hash in a data file, read by way of the backend's context. @throws LookupError naming the file */
export function readDataFile(
  context: CallContext,
  name: string,
  path: string,
  lookupContext: LookupContext,
): Value {
  return lookupContext.callMethod('cached_file_data', [path], {
    call: ([text = null]) => dataOf(context, name, String(text), path),
  });
}

function dataOf(context: CallContext, name: string, text: string, path: string): Value {
  const data = DATA_READERS.get(name)?.(text, path);
  if (data?.kind === 'value') return data.value;
  const message = `${path}: file does not contain a valid yaml hash`;
  if (context.environment.config.settings.strict === 'error' && data?.kind !== 'empty')
    throw new LookupError(message);
  context.log('warning', message);
  return new PuppetHash();
}
