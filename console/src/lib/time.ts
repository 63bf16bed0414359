/** Times as people read them. All functions take the present time, so that a test can say when it is. */

/** Whether this browser knows it. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat(undefined, { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

const units: readonly (readonly [name: string, seconds: number])[] = [
  ['d', 86_400],
  ['h', 3600],
  ['min', 60],
];

const yearSeconds = 365 * 86_400;

/** `just now`, `5 min ago`, `3 h ago`, `12 d ago`; `in 5 min` for what lies ahead; the day when it is a year away. */
export function ageText(then: Date, now: Date): string {
  const seconds = Math.round((now.getTime() - then.getTime()) / 1000);
  const distance = Math.abs(seconds);
  if (distance < 60) return seconds < -5 ? 'in a moment' : 'just now';
  if (distance >= yearSeconds) return then.toISOString().slice(0, 10);
  const [name = 's', size = 1] = units.find(([, each]) => distance >= each) ?? [];
  const amount = `${Math.floor(distance / size)} ${name}`;
  return seconds < 0 ? `in ${amount}` : `${amount} ago`;
}

const exact = dateFormat({ dateStyle: 'medium', timeStyle: 'long' });
const short = dateFormat({ dateStyle: 'medium', timeStyle: 'short' });
const clock = dateFormat({ timeStyle: 'medium' }, 'en-GB');

/** The time in the zone of the user and in UTC. */
export function exactTime(time: Date): string {
  const own = exact(time);
  return own.endsWith(' UTC') ? own : `${own} · ${time.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** Day and time in the zone of the user: `24 Nov 2026, 14:03`. */
export function shortTime(time: Date): string {
  return short(time);
}

/** `14:03`, in the zone of the user. */
export function hourText(time: Date): string {
  return clockTime(time).slice(0, 5);
}

/** `14:03:10`, in the zone of the user. */
export function clockTime(time: Date): string {
  // No formatter is needed for the browser's own time zone, and creating one takes milliseconds.
  return chosenZone() === undefined ? time.toTimeString().slice(0, 8) : clock(time);
}

/** Creates the formatter once for each time zone: that takes milliseconds, and a list has hundreds of times. */
function dateFormat(options: Intl.DateTimeFormatOptions, language?: string): (time: Date) => string {
  let made: { readonly zone: string | undefined; readonly format: Intl.DateTimeFormat } | undefined;
  return (time) => {
    const zone = chosenZone();
    if (made === undefined || made.zone !== zone) {
      const timeZone = zone !== undefined && isTimeZone(zone) ? zone : undefined;
      made = { zone, format: new Intl.DateTimeFormat(language, { ...options, timeZone }) };
    }
    return made.format.format(time);
  };
}

/** The user's preference, which `features/preferences.ts` stores in an attribute of the page. */
function chosenZone(): string | undefined {
  return globalThis.document?.documentElement.dataset['timeZone'];
}

/** `< 0.01 s`, `0.42 s`, `8.1 s`, `3 min 5 s`. */
export function durationText(seconds: number): string {
  if (seconds < 0.01) return '< 0.01 s';
  if (seconds < 1) return `${seconds.toFixed(2)} s`;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)} min ${whole % 60} s`;
}
