import { RegexpType, RegexpValue, type Value } from '../../pcore/index.ts';
import { type CallContext, defineFunction } from '../function.ts';
import { patternFor } from '../ruby/pattern-cache.ts';
import { characterLength, matchFrom } from '../ruby/regexp-matches.ts';

/** `split(str, pattern)`: the parts between the matches of a regular expression, given as such or as a string. */
export const split = defineFunction({
  name: 'split',
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

/**
 * `String#split(regexp)`: groups are part of the result, empty texts at its end are not. An empty match splits only
 * when nothing longer matches one character further on.
 */
function splitText(text: string, pattern: RegexpValue): readonly string[] {
  const parts: string[] = [];
  let partStart = 0;
  let searchStart = 0;
  let wasEmpty = false;
  while (searchStart <= text.length) {
    const match = matchFrom(pattern, text, searchStart);
    if (match === null) break;
    if (match[0] === '' && match.index === searchStart && !wasEmpty) {
      searchStart += characterLength(text, searchStart);
      wasEmpty = true;
      continue;
    }
    parts.push(text.slice(partStart, match.index), ...groupsOf(match));
    partStart = match.index + match[0].length;
    searchStart = partStart;
    wasEmpty = false;
  }
  if (partStart < text.length) parts.push(text.slice(partStart));
  while (parts.at(-1) === '') parts.pop();
  return parts;
}

function groupsOf(match: RegExpExecArray): readonly string[] {
  return match.slice(1).filter((group) => group !== undefined);
}
