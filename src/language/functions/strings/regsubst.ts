import { ByteString, isArray, PuppetHash, RegexpType, RegexpValue, type Value } from '../../pcore/index.ts';
import { mapBytes } from '../call-with-bytes.ts';
import { type CallContext, defineFunction } from '../function.ts';
import { patternFor } from '../ruby/pattern-cache.ts';
import { substitute } from '../ruby/substitute.ts';

const OPTIONS: Readonly<Record<string, string>> = { E: 'x', I: 'i', M: 'm' };

/**
 * `regsubst(target, pattern, replacement, flags, encoding)`: replaces the first match, or with the flag `G` all of
 * them, in a string or in each string of an array. The replacement may refer to groups, or be a hash of texts.
 */
export const regsubst = defineFunction({
  name: 'regsubst',
  bytes: 'kept',
  dispatches: [
    {
      parameters: [
        { type: 'Variant[Array[String],String]', name: 'target' },
        { type: 'String', name: 'pattern' },
        { type: 'Variant[String,Hash[String,String]]', name: 'replacement' },
        { type: 'Optional[Pattern[/^[GEIM]*$/]]', name: 'flags', arity: 'optional' },
        { type: "Enum['N','E','S','U']", name: 'encoding', arity: 'optional' },
      ],
      call: (context, [target = null, pattern, replacement = null, flags = null]) => {
        const letters = typeof flags === 'string' ? flags : '';
        return replaceIn(
          target,
          compile(context, String(pattern), letters),
          replacement,
          letters.includes('G'),
        );
      },
    },
    {
      parameters: [
        { type: 'Variant[Array[String],String]', name: 'target' },
        { type: 'Variant[Regexp,Type[Regexp]]', name: 'pattern' },
        { type: 'Variant[String,Hash[String,String]]', name: 'replacement' },
        { type: 'Pattern[/^G?$/]', name: 'flags', arity: 'optional' },
      ],
      call: (context, [target = null, pattern = null, replacement = null, flags]) =>
        replaceIn(target, regexpOf(context, pattern), replacement, flags === 'G'),
    },
  ],
});

function compile(context: CallContext, source: string, flags: string): RegexpValue {
  if (flags === '' || flags === 'G') return patternFor(context, source);
  const options = [...new Set(flags)].map((flag) => OPTIONS[flag] ?? '').sort();
  return patternFor(context, source, options.join(''));
}

function regexpOf(context: CallContext, pattern: Value): RegexpValue {
  if (pattern instanceof RegexpValue) return pattern;
  return (pattern instanceof RegexpType ? pattern.pattern : undefined) ?? patternFor(context, '');
}

function replaceIn(target: Value, pattern: RegexpValue, replacement: Value, replacesAll: boolean): Value {
  const by = replacement instanceof PuppetHash ? replacement : String(replacement);
  if (isArray(target)) return target.map((item) => replaceIn(item, pattern, replacement, replacesAll));
  if (target instanceof ByteString)
    return mapBytes(target, (text) => substitute(text, pattern, by, replacesAll));
  return substitute(String(target), pattern, by, replacesAll);
}
