/**
 * A line for each request as Puppet Server's access log has it.
 *
 * @see puppetserver, `request-logging.xml`:
 *   `%h %l %u [%t] "%r" %s %b "%i{Referer}" "%i{User-Agent}" %D %i{Content-Length} %mdc{jruby.borrow-time:--}`
 */

import type { RequestSample } from '../../platform/http/index.ts';

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const none = '-';

/** @returns the line with its end. No user is named (certificates are none), and no JRuby is borrowed. */
export function renderAccessLine(sample: RequestSample, at: Date): string {
  const { address, bytes, durationMs, message, status } = sample;
  const { headers, httpVersion, method } = message;
  const words = [
    address,
    none,
    none,
    `[${clock(at)}]`,
    quoted(`${method} ${sample.shownUrl} HTTP/${httpVersion}`),
    status,
    bytes ?? none,
    quoted(headers.referer ?? none),
    quoted(headers['user-agent'] ?? none),
    Math.round(durationMs),
    headers['content-length'] ?? none,
    none,
  ];
  return `${words.join(' ')}\n`;
}

/** In UTC, as our other logs have it: `24/Nov/2026:04:38:17 +0000`. */
function clock(at: Date): string {
  const iso = at.toISOString();
  return `${iso.slice(8, 10)}/${months[at.getUTCMonth()]}/${iso.slice(0, 4)}:${iso.slice(11, 19)} +0000`;
}

/** A request cannot end the line or the quotes. */
function quoted(text: string): string {
  return `"${text.replace(/["\\\p{Cc}]/gu, (char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`)}"`;
}
