import { fault, rubyClassName, type Value } from '../../pcore/index.ts';
import { defineLegacyFunction, referenceText } from '../legacy-function.ts';
import { formatString } from '../ruby/format-string.ts';

/** `sprintf(format, *args)`: Ruby's `format`; named references take a hash with string keys. */
export const sprintf = defineLegacyFunction({
  name: 'sprintf',
  arity: -2,
  call: (_context, [format = null, ...args]) => formatString(textOf(format), args.map(referenceText)),
});

function textOf(format: Value): string {
  if (typeof format !== 'string')
    throw fault(`no implicit conversion of ${rubyClassName(format)} into String`);
  return format;
}
