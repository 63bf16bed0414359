import { createHash } from 'node:crypto';
import { MersenneTwister } from '../../../lib/mersenne-twister.ts';
import { ByteString, fault, integer, isInteger, PuppetHash, type Value } from '../../pcore/index.ts';
import type { CallContext } from '../function.ts';
import { defineLegacyFunction } from '../legacy-function.ts';
import { conversionName } from '../ruby/format-string.ts';
import { joinText } from '../ruby/join-text.ts';
import { leadingInteger } from '../ruby/parse-number.ts';

/**
 * `fqdn_rand(max, seed, downcase)`: a number from 0 to below `max` that is always the same for a node and a seed.
 * The node is told by its fact `networking.fqdn`.
 */
export const fqdnRand = defineLegacyFunction({
  name: 'fqdn_rand',
  bytes: 'values',
  arity: -2,
  call: (context, [limit = null, seed = null, downcase = null]) => {
    const max = integerOf(limit);
    const name = fqdnOf(context);
    const isDowncased = downcase !== null && downcase !== false;
    const fqdn = isDowncased && typeof name === 'string' ? name.toLowerCase() : name;
    const digest = createHash('md5')
      .update(textOrBytes(joinText([fqdn, integer(max), seed], ':')))
      .digest('hex');
    if (max <= 0n) throw fault(`invalid argument - ${max}`);
    return integer(new MersenneTwister(BigInt(`0x${digest}`)).below(max));
  },
});

function textOrBytes(text: string | ByteString): string | Uint8Array {
  return typeof text === 'string' ? text : text.bytes;
}

function integerOf(value: Value): bigint {
  if (value instanceof ByteString) return leadingInteger(value.text);
  if (typeof value === 'string') return leadingInteger(value);
  if (isInteger(value)) return BigInt(value);
  if (value !== null && typeof value === 'object' && 'value' in value && typeof value.value === 'number')
    return BigInt(Math.trunc(value.value));
  throw fault(`undefined method \`to_i' for ${conversionName(value)}`);
}

function fqdnOf(context: CallContext): Value {
  const facts = context.scope.find('::facts');
  const networking = facts instanceof PuppetHash ? facts.get('networking') : undefined;
  return (networking instanceof PuppetHash ? networking.get('fqdn') : undefined) ?? null;
}
