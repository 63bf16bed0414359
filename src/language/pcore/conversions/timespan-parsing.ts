import { fault } from '../fault.ts';
import { TimespanFormat } from '../formats/timespan-format.ts';
import { isArray, isInteger, type PuppetHash, type Value } from '../value.ts';
import { TimespanValue } from '../values/timespan-value.ts';

const FORMATS = [
  '%D-%H:%M:%S.%-N',
  '%H:%M:%S.%-N',
  '%M:%S.%-N',
  '%S.%-N',
  '%D-%H:%M:%S',
  '%H:%M:%S',
  '%D-%H:%M',
  '%S',
];

/**
 * @param formats - the first that fits counts; a single one reports its own mismatch
 * @throws PuppetError when none fits
 */
export function parseTimespan(text: string, formats: string | readonly string[] = FORMATS): TimespanValue {
  if (typeof formats === 'string') return new TimespanValue(TimespanFormat.parse(formats).read(text));
  for (const each of formats) {
    const format = TimespanFormat.parse(each);
    const nanoseconds = tryRead(format, text);
    if (nanoseconds !== undefined) return new TimespanValue(nanoseconds);
  }
  throw fault(`Unable to parse '${text}' using any of the formats ${formats.join(', ')}`);
}

function tryRead(format: TimespanFormat, text: string): bigint | undefined {
  try {
    return format.read(text);
  } catch {
    return undefined; // the next format may fit
  }
}

/** From `string` and `format`, or from the fields; other keys do not count. */
export function timespanFromHash(hash: PuppetHash): TimespanValue {
  const text = hash.get('string');
  if (typeof text === 'string') return parseTimespan(text, formatsOf(hash.get('format')));
  const amount = (name: string): number | bigint => {
    const value = hash.get(name) ?? null;
    return isInteger(value) ? value : 0;
  };
  return TimespanValue.fromFields({
    isNegative: hash.get('negative') === true,
    days: amount('days'),
    hours: amount('hours'),
    minutes: amount('minutes'),
    seconds: amount('seconds'),
    milliseconds: amount('milliseconds'),
    microseconds: amount('microseconds'),
    nanoseconds: amount('nanoseconds'),
  });
}

/** One format or several; absent for anything else. */
export function formatsOf(value: Value | undefined): string | readonly string[] | undefined {
  if (typeof value === 'string') return value;
  return value !== undefined && isArray(value) ? value.map(String) : undefined;
}
