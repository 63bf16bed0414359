import { ByteString, fault, rubyClassName, type Value } from '../../pcore/index.ts';
import { asBytes, standIn } from '../call-with-bytes.ts';
import { defineLegacyFunction, referenceText } from '../legacy-function.ts';
import { formatString } from '../ruby/format-string.ts';

/** `sprintf(format, *args)`: Ruby's `format`; named references take a hash with string keys. */
export const sprintf = defineLegacyFunction({
  name: 'sprintf',
  bytes: 'values',
  arity: -2,
  call: (_context, [format = null, ...args]) => formatWithBytes(textOf(format), args.map(referenceText)),
});

/** Bytes beyond ASCII make bytes of the whole; what is ASCII is text afterwards. */
function formatWithBytes(format: string, args: readonly Value[]): Value {
  if (!args.some((arg) => arg instanceof ByteString && !arg.isAscii)) return formatString(format, args);
  const bytes = ByteString.fromBytes(new TextEncoder().encode(format));
  const texts = args.map((arg) => (arg instanceof ByteString ? standIn(arg) : arg));
  return asBytes(formatString(standIn(bytes), texts));
}

function textOf(format: Value): string {
  if (format instanceof ByteString) return format.toString();
  if (typeof format !== 'string')
    throw fault(`no implicit conversion of ${rubyClassName(format)} into String`);
  return format;
}
