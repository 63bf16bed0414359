import { decryptValue, LookupArgumentError, LookupContext, LookupError } from '../../hiera/index.ts';
import { PuppetHash, type Value } from '../../pcore/index.ts';
import { type CallContext, defineFunction } from '../function.ts';
import { readDataFile } from './data-function.ts';

/** `eyaml_lookup_key(key, options, context)`: the value of a key in an eyaml file, decrypted and interpolated. */
export const eyamlLookupKey = defineFunction({
  name: 'eyaml_lookup_key',
  dispatches: [
    {
      parameters: [
        { type: 'String[1]', name: 'key' },
        { type: 'Hash[String[1],Any]', name: 'options' },
        { type: 'Puppet::LookupContext', name: 'context' },
      ],
      call: (context, [key = null, options = null, lookupContext = null]) => {
        if (!(options instanceof PuppetHash) || !(lookupContext instanceof LookupContext)) return null;
        if (lookupContext.callMethod('cache_has_key', [key]) === true)
          return lookupContext.callMethod('cached_value', [key]);
        return lookupContext.callMethod('cache', [
          key,
          valueOf(context, String(key), options, lookupContext),
        ]);
      },
    },
  ],
});

function valueOf(
  context: CallContext,
  key: string,
  options: PuppetHash,
  lookupContext: LookupContext,
): Value {
  const path = options.get('path');
  if (path === undefined) {
    throw new LookupArgumentError(
      "'eyaml_lookup_key': one of 'path', 'paths' 'glob', 'globs' or 'mapped_paths' must be declared in hiera.yaml when using this lookup_key function",
    );
  }
  const data = wholeFile(context, String(path), lookupContext);
  const value = data.get(key);
  if (value === undefined) return lookupContext.callMethod('not_found', []);
  return decryptValue(value, {
    decryptor: context.eyaml,
    options,
    key,
    path: String(path),
    interpolate: (text) => lookupContext.callMethod('interpolate', [text]),
  });
}

/** The file as it is, kept under the key `undef`, where the reference has it, too. */
function wholeFile(context: CallContext, path: string, lookupContext: LookupContext): PuppetHash {
  const known = lookupContext.callMethod('cached_value', [null]);
  const data =
    known ??
    lookupContext.callMethod('cache', [null, readDataFile(context, 'eyaml_lookup_key', path, lookupContext)]);
  if (!(data instanceof PuppetHash))
    throw new LookupError(`${path}: file does not contain a valid yaml hash`);
  return data;
}
