/** PostgreSQL's `to_char` in terms of SQLite. */

import { bound, type Fragment, fragment, joined, raw } from './fragment.ts';

const months = 'January February March April May June July August September October November December'.split(
  ' ',
);
const days = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');

const tokens =
  /"([^"]*)"|FM|(?:Month|MONTH|month|Mon|MON|mon|Day|DAY|day|Dy|DY|dy)|YYYY|YYY|YY|MM|DDD|DD|D|ID|HH24|HH12|HH|MI|SSSS|SS|MS|Q|WW|IW|AM|PM|[\s\S]/g;

/** The SQL for each token that one `strftime` gives. */
const strftime: Readonly<Record<string, string>> = {
  YYYY: '%Y',
  MM: '%m',
  DD: '%d',
  DDD: '%j',
  HH24: '%H',
  HH: '%I',
  HH12: '%I',
  MI: '%M',
  SS: '%S',
  IW: '%V',
  ID: '%u',
};

export function sqliteTimeText(time: Fragment, mask: string): Fragment {
  const pieces: Fragment[] = [bound('')];
  let isUnpadded = false;
  for (const [token, quoted] of mask.matchAll(tokens)) {
    if (token === 'FM') {
      isUnpadded = true;
      continue;
    }
    const piece = quoted === undefined ? timePiece(time, token, isUnpadded) : bound(quoted);
    pieces.push(piece);
    isUnpadded = false;
  }
  return fragment`(${joined(pieces, ' || ')})`;
}

function timePiece(time: Fragment, token: string, isUnpadded: boolean): Fragment {
  const format = strftime[token];
  if (format !== undefined) {
    const text = fragment`strftime(${bound(format)}, ${time})`;
    return isUnpadded ? fragment`cast(cast(${text} as integer) as text)` : text;
  }
  switch (token) {
    case 'YYY':
      return fragment`substr(${time}, 2, 3)`;
    case 'YY':
      return fragment`substr(${time}, 3, 2)`;
    case 'MS':
      return fragment`substr(${time}, 21, 3)`;
    case 'D':
      return fragment`cast(strftime('%w', ${time}) + 1 as text)`;
    case 'Q':
      return fragment`cast((strftime('%m', ${time}) + 2) / 3 as text)`;
    case 'WW':
      return fragment`printf('%02d', (strftime('%j', ${time}) + 6) / 7)`;
    case 'SSSS':
      return fragment`cast(strftime('%H', ${time}) * 3600 + strftime('%M', ${time}) * 60 + strftime('%S', ${time}) as text)`;
    case 'AM':
    case 'PM':
      return fragment`case when strftime('%H', ${time}) < '12' then 'AM' else 'PM' end`;
    default:
      return namePiece(time, token, isUnpadded) ?? bound(token);
  }
}

function namePiece(time: Fragment, token: string, isUnpadded: boolean): Fragment | undefined {
  const lower = token.toLowerCase();
  const isMonth = lower === 'month' || lower === 'mon';
  if (!isMonth && lower !== 'day' && lower !== 'dy') return undefined;
  const isShort = lower === 'mon' || lower === 'dy';
  const names = (isMonth ? months : days).map((name) => {
    const text = isShort ? name.slice(0, 3) : isUnpadded ? name : name.padEnd(9);
    return cased(text, token);
  });
  const index = isMonth ? fragment`strftime('%m', ${time}) - 1` : fragment`strftime('%w', ${time}) + 0`;
  const cases = names.map((name, at) => fragment`when ${raw(String(at))} then ${bound(name)}`);
  return fragment`case ${index} ${joined(cases, ' ')} end`;
}

function cased(name: string, token: string): string {
  if (token === token.toUpperCase()) return name.toUpperCase();
  return token === token.toLowerCase() ? name.toLowerCase() : name;
}

/** Digits padded to the mask's width, with a place for the sign. */
export function sqliteNumberText(value: Fragment, mask: string): Fragment {
  const digits = mask.replace(/[^09]/g, '').length;
  const isUnpadded = mask.startsWith('FM');
  const format = isUnpadded ? '%d' : `%${digits + 1}d`;
  return fragment`printf(${bound(format)}, ${value})`;
}
