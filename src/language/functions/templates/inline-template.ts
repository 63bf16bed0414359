import { fault, inspect, rubyClassName, textOf, type Value } from '../../pcore/index.ts';
import { defineLegacyFunction } from '../legacy-function.ts';

/** `inline_template(*templates)`: the texts of ERB templates given as strings, one after the other. */
export const inlineTemplate = defineLegacyFunction({
  name: 'inline_template',
  arity: -2,
  call: (context, templates) =>
    templates.map((text) => context.evaluateErb({ file: '', text: templateOf(text), name: '' })).join(''),
});

function templateOf(value: Value): string {
  const text = textOf(value);
  if (text !== undefined) return text;
  const what =
    value === null || typeof value === 'boolean'
      ? inspect(value)
      : `${inspect(value)}:${rubyClassName(value)}`;
  throw fault(`Failed to parse inline template: undefined method \`encoding' for ${what}`);
}
