/** Names of timezones and their offsets, as Ruby's `DateTime` knows them: asked from it, oddities included. */

/** Hours east of UTC, and the names. */
const ZONES: readonly (readonly [number, string])[] = [
  [-12, 'y idlw'],
  [-11, 'x nt sst'],
  [-10, 'w hst ahst hawaiian'],
  [-9, 'v hdt akst yst alaskan'],
  [-8.5, 'mart'],
  [-8, 'u pst akdt ydt pacific'],
  [-7, 't mst pdt mountain'],
  [-6, 's cst mdt east central'],
  [-5, 'r est cdt pet eastern'],
  [-4, 'q edt ast clt vet atlantic'],
  [-3.5, 'newfoundland'],
  [-3, 'p adt brt art clst uyt'],
  [-2.5, 'nst'],
  [-2, 'o brst at'],
  [-1.5, 'ndt'],
  [-1, 'n'],
  [0, 'utc gmt ut z wet'],
  [1, 'a west cet met mez mewt bst wat fwt swt romance'],
  [2, 'b cest mest mesz eet wast cat sast fst'],
  [3, 'c eest msk eat bt idt russian'],
  [3.5, 'irst'],
  [4, 'd msd mut sct'],
  [4.5, 'irdt'],
  [5, 'e pkt uzt yekt'],
  [5.5, 'ist'],
  [6, 'f iot omst'],
  [6.5, 'cct'],
  [7, 'g ict novt'],
  [8, 'h sgt awst hkt pht china'],
  [9, 'i jst kst awdt tokyo'],
  [9.5, 'acst'],
  [10, 'k aest gst pgt'],
  [10.5, 'acdt'],
  [11, 'l aedt nft vut'],
  [12, 'm nzt nzst idle'],
  [13, 'nzdt'],
];

const HOURS: ReadonlyMap<string, number> = new Map(
  ZONES.flatMap(([hours, names]) => names.split(' ').map((name): readonly [string, number] => [name, hours])),
);

/** Seconds east of UTC; `undefined` for a zone that is not known. The `current` one is taken for UTC. */
export function zoneOffset(zone: string): number | undefined {
  const text = zone.toLowerCase().trim();
  if (text === 'current') return 0;
  const name = text.replace(/\s+(?:standard time|daylight time|dst)$/, '');
  const isDaylight = name !== text && !text.endsWith('standard time');
  const hours = HOURS.get(name);
  if (hours !== undefined) return (hours + (isDaylight ? 1 : 0)) * 3600;
  const found = /^(?:gmt|utc)?([-+])(\d{1,2})(?::?(\d{2})(?::?(\d{2}))?)?$/.exec(text);
  if (found === null) return undefined;
  const [, sign, hour = '0', minute = '0', second = '0'] = found;
  return (sign === '-' ? -1 : 1) * (Number(hour) * 3600 + Number(minute) * 60 + Number(second));
}
