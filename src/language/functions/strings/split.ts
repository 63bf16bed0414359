import { RegexpType, RegexpValue, type Value } from '../../pcore/index.ts';
import { type CallContext, defineFunction } from '../function.ts';
import { patternFor } from '../ruby/pattern-cache.ts';
import { splitText } from '../ruby/split-text.ts';

/** `split(str, pattern)`: the parts between the matches of a regular expression, given as such or as a string. */
export const split = defineFunction({
  name: 'split',
  bytes: 'kept',
  dispatches: [
    {
      parameters: [
        { type: 'String', name: 'str' },
        { type: 'String', name: 'pattern' },
      ],
      call: (context, [text, pattern]) => splitText(String(text), patternFor(context, String(pattern))),
    },
    {
      parameters: [
        { type: 'String', name: 'str' },
        { type: 'Regexp', name: 'pattern' },
      ],
      call: (context, [text, pattern = null]) => splitText(String(text), regexpOf(context, pattern)),
    },
    {
      parameters: [
        { type: 'String', name: 'str' },
        { type: 'Type[Regexp]', name: 'pattern' },
      ],
      call: (context, [text, pattern = null]) => splitText(String(text), regexpOf(context, pattern)),
    },
  ],
});

function regexpOf(context: CallContext, pattern: Value): RegexpValue {
  if (pattern instanceof RegexpValue) return pattern;
  return (pattern instanceof RegexpType ? pattern.pattern : undefined) ?? patternFor(context, '');
}
