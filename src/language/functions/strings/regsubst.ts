import type { LanguageLevel } from '../../levels/index.ts';
import {
  ByteString,
  isArray,
  PuppetHash,
  RegexpType,
  RegexpValue,
  SensitiveValue,
  type Value,
} from '../../pcore/index.ts';
import { mapBytes } from '../call-with-bytes.ts';
import { warnDeprecated } from '../deprecation.ts';
import { type CallContext, type Dispatch, defineFunction } from '../function.ts';
import { patternFor } from '../ruby/pattern-cache.ts';
import { substitute } from '../ruby/substitute.ts';

const OPTIONS: Readonly<Record<string, string>> = { E: 'x', I: 'i', M: 'm' };

const ENCODING = { type: "Enum['N','E','S','U']", name: 'encoding', arity: 'optional' } as const;
const TEXTS = 'Variant[Array[String],String]';
/** The same, where each may be sensitive as well as all of them together. */
const TEXTS_OR_SENSITIVE =
  'Variant[Array[Variant[String,Sensitive[String]]],Sensitive[Array[Variant[String,Sensitive[String]]]],Variant[String,Sensitive[String]]]';

/**
 * `regsubst(target, pattern, replacement, flags, encoding)`: replaces the first match, or with the flag `G` all of
 * them, in a string or in each string of an array. The replacement may refer to groups, or be a hash of texts.
 */
export const regsubst = defineFunction({
  name: 'regsubst',
  bytes: 'kept',
  dispatches: dispatches(TEXTS, 'ignored'),
  atLevel: ({ regsubstEncoding, replacesInSensitive }) => ({
    dispatches: dispatches(replacesInSensitive ? TEXTS_OR_SENSITIVE : TEXTS, regsubstEncoding),
  }),
});

function dispatches(target: string, encoding: LanguageLevel['regsubstEncoding']): readonly Dispatch[] {
  return [
    {
      parameters: [
        { type: target, name: 'target' },
        { type: 'String', name: 'pattern' },
        { type: 'Variant[String,Hash[String,String]]', name: 'replacement' },
        { type: 'Optional[Pattern[/^[GEIM]*$/]]', name: 'flags', arity: 'optional' },
        ...(encoding === 'refused' ? [] : [ENCODING]),
      ],
      call: (context, [text = null, pattern, replacement = null, flags = null, given]) => {
        if (given !== undefined && encoding === 'deprecated') warnOfEncoding(context);
        const letters = typeof flags === 'string' ? flags : '';
        const regexp = compile(context, String(pattern), letters);
        return replaceIn(text, regexp, replacement, letters.includes('G'));
      },
    },
    {
      parameters: [
        { type: target, name: 'target' },
        { type: 'Variant[Regexp,Type[Regexp]]', name: 'pattern' },
        { type: 'Variant[String,Hash[String,String]]', name: 'replacement' },
        { type: 'Pattern[/^G?$/]', name: 'flags', arity: 'optional' },
      ],
      call: (context, [text = null, pattern = null, replacement = null, flags]) =>
        replaceIn(text, regexpOf(context, pattern), replacement, flags === 'G'),
    },
  ];
}

function warnOfEncoding(context: CallContext): void {
  warnDeprecated(
    context,
    'regsubst_function_encoding',
    "The regsubst() function's encoding argument has been ignored since Ruby 1.9 and will be removed in a future release",
  );
}

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
  if (target instanceof SensitiveValue) {
    const replaced = replaceIn(target.unwrap(), pattern, replacement, replacesAll);
    // An array stays one: the reference keeps only single texts secret.
    return isArray(replaced) ? replaced : new SensitiveValue(replaced);
  }
  if (isArray(target)) return target.map((item) => replaceIn(item, pattern, replacement, replacesAll));
  if (target instanceof ByteString)
    return mapBytes(target, (text) => substitute(text, pattern, by, replacesAll));
  return substitute(String(target), pattern, by, replacesAll);
}
