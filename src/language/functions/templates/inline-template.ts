import { defineLegacyFunction } from '../legacy-function.ts';
import { rubyText } from '../ruby/text.ts';

/** `inline_template(*templates)`: the texts of ERB templates given as strings, one after the other. */
export const inlineTemplate = defineLegacyFunction({
  name: 'inline_template',
  arity: -2,
  call: (context, templates) =>
    templates.map((text) => context.evaluateErb({ file: '', text: rubyText(text), name: '' })).join(''),
});
