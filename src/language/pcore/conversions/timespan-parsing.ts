import { fault } from '../fault.ts';
import { TimespanFormat } from '../formats/timespan-format.ts';
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
