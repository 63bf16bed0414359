import {
  AliasType,
  fault,
  isArray,
  PatternType,
  RegexpType,
  RegexpValue,
  rubyClassName,
  type Value,
  VariantType,
} from '../../pcore/index.ts';
import { type CallContext, defineFunction } from '../function.ts';
import { patternFor } from '../ruby/pattern-cache.ts';

/**
 * `match(string, pattern)`: the matched text and its groups, or undef; an array of those for an array of strings.
 * Of several patterns the first that matches counts.
 */
export const match = defineFunction({
  name: 'match',
  bytes: 'kept',
  dispatches: [
    {
      parameters: [
        { type: 'String', name: 'string' },
        { type: 'Variant[Any, Type]', name: 'pattern' },
      ],
      call: (context, [text, pattern = null]) => matchText(context, String(text), pattern),
    },
    {
      parameters: [
        { type: 'Array[String]', name: 'string' },
        { type: 'Variant[Any, Type]', name: 'pattern' },
      ],
      call: (context, [texts = null, pattern = null]) =>
        isArray(texts) ? texts.map((text) => matchText(context, String(text), pattern)) : null,
    },
  ],
});

function matchText(context: CallContext, text: string, pattern: Value): Value {
  if (typeof pattern === 'string') return groups(patternFor(context, pattern), text);
  if (pattern instanceof RegexpValue) return groups(pattern, text);
  if (isArray(pattern)) return matchFirst(context, text, flatten(pattern));
  if (pattern instanceof AliasType) return matchText(context, text, pattern.resolved);
  if (pattern instanceof VariantType) return matchFirst(context, text, pattern.types);
  if (pattern instanceof PatternType) return matchFirst(context, text, pattern.patterns);
  if (pattern instanceof RegexpType) {
    if (pattern.pattern === undefined) throw fault('Given Regexp Type has no regular expression');
    return groups(pattern.pattern, text);
  }
  throw fault(
    `match() expects pattern of T, where T is String, Regexp, Regexp[r], Pattern[p], or Array[T]. Got ${rubyClassName(pattern)}`,
  );
}

function matchFirst(context: CallContext, text: string, patterns: readonly Value[]): Value {
  for (const pattern of patterns) {
    const result = matchText(context, text, pattern);
    if (result !== null) return result;
  }
  return null;
}

function groups(pattern: RegexpValue, text: string): Value {
  const found = pattern.exec(text);
  return found === null ? null : Array.from(found, (group) => group ?? null);
}

function flatten(values: readonly Value[]): readonly Value[] {
  return values.flatMap((value) => (isArray(value) ? flatten(value) : [value]));
}
