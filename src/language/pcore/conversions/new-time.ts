/** `Timespan.new`, `Timestamp.new` */

import { Float, type IntegerValue, isInteger, PuppetHash, type Value } from '../value.ts';
import { TimespanValue } from '../values/timespan-value.ts';
import { TimestampValue } from '../values/timestamp-value.ts';
import { Constructor } from './constructor.ts';
import { formatsOf, parseTimespan, timespanFromHash } from './timespan-parsing.ts';
import { parseTimestamp, timestampFromHash } from './timestamp-parsing.ts';

const FORMATS = { Formats: 'Variant[String[2],Array[String[2], 1]]' };

function secondsOf(value: Value | undefined): IntegerValue | Float {
  if (value instanceof Float) return value;
  return value !== undefined && isInteger(value) ? value : 0;
}

function integerOf(value: Value | undefined): number | bigint {
  return value !== undefined && isInteger(value) ? value : 0;
}

function textOf(value: Value | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

export const NEW_TIMESPAN: Constructor = new Constructor({
  name: 'new_timespan',
  localTypes: FORMATS,
  dispatches: [
    {
      parameters: [{ name: 'seconds', type: 'Variant[Integer,Float]' }],
      make: ([seconds]) => TimespanValue.fromSeconds(secondsOf(seconds)),
    },
    {
      parameters: [
        { name: 'string', type: 'String[1]' },
        { name: 'format', type: 'Formats', isOptional: true },
      ],
      make: ([text, format]) => parseTimespan(textOf(text) ?? '', formatsOf(format)),
    },
    {
      parameters: [
        { name: 'days', type: 'Integer' },
        { name: 'hours', type: 'Integer' },
        { name: 'minutes', type: 'Integer' },
        { name: 'seconds', type: 'Integer' },
        { name: 'milliseconds', type: 'Integer', isOptional: true },
        { name: 'microseconds', type: 'Integer', isOptional: true },
        { name: 'nanoseconds', type: 'Integer', isOptional: true },
      ],
      make: ([days, hours, minutes, seconds, milliseconds, microseconds, nanoseconds]) =>
        TimespanValue.fromFields({
          days: integerOf(days),
          hours: integerOf(hours),
          minutes: integerOf(minutes),
          seconds: integerOf(seconds),
          milliseconds: integerOf(milliseconds),
          microseconds: integerOf(microseconds),
          nanoseconds: integerOf(nanoseconds),
        }),
    },
    {
      parameters: [{ name: 'hash_arg', type: 'Struct[{string => String[1], Optional[format] => Formats}]' }],
      make: ([hash]) => (hash instanceof PuppetHash ? timespanFromHash(hash) : null),
    },
    {
      parameters: [
        {
          name: 'hash_arg',
          type: `Struct[{
            Optional[negative] => Boolean, Optional[days] => Integer, Optional[hours] => Integer,
            Optional[minutes] => Integer, Optional[seconds] => Integer, Optional[milliseconds] => Integer,
            Optional[microseconds] => Integer, Optional[nanoseconds] => Integer
          }]`,
        },
      ],
      make: ([hash]) => (hash instanceof PuppetHash ? timespanFromHash(hash) : null),
    },
  ],
});

export const NEW_TIMESTAMP: Constructor = new Constructor({
  name: 'new_timestamp',
  localTypes: FORMATS,
  dispatches: [
    { parameters: [], make: (_args, { now }) => TimestampValue.fromMilliseconds(now()) },
    {
      parameters: [{ name: 'seconds', type: 'Variant[Integer,Float]' }],
      make: ([seconds]) => TimestampValue.fromSeconds(secondsOf(seconds)),
    },
    {
      parameters: [
        { name: 'string', type: 'String[1]' },
        { name: 'format', type: 'Formats', isOptional: true },
        { name: 'timezone', type: 'String[1]', isOptional: true },
      ],
      make: ([text, format, timezone]) =>
        parseTimestamp(textOf(text) ?? '', formatsOf(format), textOf(timezone)),
    },
    {
      parameters: [
        {
          name: 'hash_arg',
          type: 'Struct[{string => String[1], Optional[format] => Formats, Optional[timezone] => String[1]}]',
        },
      ],
      make: ([hash]) => (hash instanceof PuppetHash ? timestampFromHash(hash) : null),
    },
  ],
});
