import { fault } from '../fault.ts';
import type { PuppetHash } from '../value.ts';
import { NANOSECONDS_PER_SECOND } from '../values/time-value.ts';
import { TimestampValue } from '../values/timestamp-value.ts';
import { type ParsedTime, parseTime } from './strptime.ts';
import { formatsOf } from './timespan-parsing.ts';
import { zoneOffset } from './zone-offset.ts';

const FORMATS_WITHOUT_ZONE = ['%FT%T.%N', '%FT%T', '%F %T.%N', '%F %T', '%F'];
const FORMATS = ['%FT%T.%N %Z', '%FT%T %Z', '%F %T.%N %Z', '%F %T %Z', '%F %Z', ...FORMATS_WITHOUT_ZONE];

/**
 * @param formats - as Ruby's `strptime`; the first that fits counts
 * @param timezone - of a time without one: `+02:00`, `CET`, ...
 * @throws PuppetError when no format fits, or a timezone is given twice or not known
 */
export function parseTimestamp(
  text: string,
  formats?: string | readonly string[],
  timezone?: string,
): TimestampValue {
  const hasZone = timezone !== undefined && timezone !== '';
  const candidates = formats ?? (hasZone ? FORMATS_WITHOUT_ZONE : FORMATS);
  const parsed =
    typeof candidates === 'string'
      ? parseWith(text, candidates, hasZone)
      : parseWithAny(text, candidates, hasZone);
  return toTimestamp(parsed, hasZone ? timezone : parsed.zone);
}

/** From `string`, `format` and `timezone`. @throws PuppetError without a string, in Ruby's words */
export function timestampFromHash(hash: PuppetHash): TimestampValue {
  const [text, timezone] = [hash.get('string'), hash.get('timezone')];
  if (typeof text !== 'string') throw fault('no implicit conversion of nil into String');
  return parseTimestamp(
    text,
    formatsOf(hash.get('format')),
    typeof timezone === 'string' ? timezone : undefined,
  );
}

function parseWith(text: string, format: string, hasZone: boolean): ParsedTime {
  const parsed = parseTime(text, format);
  if (parsed === undefined) throw fault(`Unable to parse '${text}' using format '${format}'`);
  if (hasZone && parsed.zone !== undefined) {
    throw fault(
      'Using a Timezone designator in format specification is mutually exclusive to providing an explicit timezone argument',
    );
  }
  return parsed;
}

function parseWithAny(text: string, formats: readonly string[], hasZone: boolean): ParsedTime {
  for (const format of formats) {
    const parsed = parseTime(text, format);
    if (parsed !== undefined && !(hasZone && parsed.zone !== undefined)) return parsed;
  }
  throw fault(`Unable to parse '${text}' using any of the formats ${formats.join(', ')}`);
}

function toTimestamp(parsed: ParsedTime, zone: string | undefined): TimestampValue {
  // The reference fails on seconds since the epoch, with these words.
  if (parsed.epochNanoseconds !== undefined) throw fault('no implicit conversion of nil into Integer');
  if (parsed.year === undefined) throw fault("can't convert nil into an exact number");
  const date = new Date(0);
  date.setUTCFullYear(parsed.year, (parsed.month ?? 1) - 1, parsed.day ?? 1);
  date.setUTCHours(parsed.hour ?? 0, parsed.minute ?? 0, parsed.second ?? 0);
  const offset = zone === undefined ? 0 : zoneOffset(zone);
  if (offset === undefined) throw fault(`Illegal timezone '${zone ?? ''}'`);
  const seconds = BigInt(date.getTime() / 1000) - BigInt(offset);
  return new TimestampValue(seconds * NANOSECONDS_PER_SECOND + (parsed.fraction ?? 0n));
}
