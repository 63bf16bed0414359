import { RegexpType, RegexpValue, SensitiveValue, type Value } from '../../pcore/index.ts';
import { type CallContext, type Dispatch, defineFunction } from '../function.ts';
import { patternFor } from '../ruby/pattern-cache.ts';
import { splitText } from '../ruby/split-text.ts';

const plain: readonly Dispatch[] = [
  {
    parameters: [
      { type: 'String', name: 'str' },
      { type: 'String', name: 'pattern' },
    ],
    call: (context, [text, pattern]) => splitText(String(text), patternFor(context, String(pattern))),
  },
  ...['Regexp', 'Type[Regexp]'].map((type) => ({
    parameters: [
      { type: 'String', name: 'str' },
      { type, name: 'pattern' },
    ],
    call: (context: CallContext, [text, pattern = null]: readonly Value[]) =>
      splitText(String(text), regexpOf(context, pattern)),
  })),
];

/** `split(str, pattern)`: the parts between the matches of a regular expression, given as such or as a string. */
export const split = defineFunction({
  name: 'split',
  bytes: 'kept',
  dispatches: plain,
  atLevel: ({ replacesInSensitive }) =>
    replacesInSensitive ? { dispatches: [...plain, ...plain.map(inSensitive)] } : {},
});

function regexpOf(context: CallContext, pattern: Value): RegexpValue {
  if (pattern instanceof RegexpValue) return pattern;
  return (pattern instanceof RegexpType ? pattern.pattern : undefined) ?? patternFor(context, '');
}

function inSensitive({ parameters: [, pattern], call }: Dispatch): Dispatch {
  return {
    parameters: [
      { type: 'Sensitive[String]', name: 'sensitive' },
      ...(pattern === undefined ? [] : [pattern]),
    ],
    call: (context, [sensitive, by = null], block) => {
      const text = sensitive instanceof SensitiveValue ? sensitive.unwrap() : null;
      return new SensitiveValue(call(context, [text, by], block));
    },
  };
}
