import { fault, TimespanValue, TimestampValue, type Value, zoneOffset } from '../../pcore/index.ts';
import { warnDeprecatedHere } from '../deprecation.ts';
import { type CallContext, defineFunction } from '../function.ts';

/**
 * `strftime(time, format, timezone)`: a Timestamp or Timespan as text; a timestamp is in UTC unless a timezone is
 * given. `strftime(format, timezone)` takes the time of the call, with a warning.
 */
export const strftime = defineFunction({
  name: 'strftime',
  bytes: 'kept',
  dispatches: [
    {
      parameters: [
        { type: 'Timespan', name: 'time_object' },
        { type: 'String', name: 'format' },
      ],
      call: (_context, [time, format]) => (time instanceof TimespanValue ? time.format(String(format)) : ''),
    },
    {
      parameters: [
        { type: 'Timestamp', name: 'time_object' },
        { type: 'String', name: 'format' },
        { type: 'String', name: 'timezone', arity: 'optional' },
      ],
      call: (context, [time, format, timezone]) =>
        time instanceof TimestampValue ? formatTimestamp(context, time, String(format), timezone) : '',
    },
    {
      parameters: [
        { type: 'String', name: 'format' },
        { type: 'String', name: 'timezone', arity: 'optional' },
      ],
      call: (context, [format, timezone]) => {
        warnDeprecatedHere(
          context,
          'legacy#strftime',
          'The argument signature (String format, [String timezone]) is deprecated for #strftime. ' +
            'See #strftime documentation and Timespan type for more info',
        );
        const now = TimestampValue.fromMilliseconds(context.outside.now());
        return formatTimestamp(context, now, String(format), timezone);
      },
    },
  ],
});

function formatTimestamp(
  context: CallContext,
  time: TimestampValue,
  format: string,
  timezone: Value | undefined,
): string {
  if (typeof timezone !== 'string' || timezone === '') return time.format(format);
  return time.format(format, offsetOf(context, timezone));
}

/** In seconds, east of UTC. `current` is the server's own timezone. */
function offsetOf(context: CallContext, timezone: string): number {
  if (timezone.toLowerCase() === 'current') return new Date(context.outside.now()).getTimezoneOffset() * -60;
  const offset = zoneOffset(timezone);
  if (offset === undefined) throw fault(`Illegal timezone '${timezone}'`);
  return offset;
}
