import { withoutTrailingSlashes } from '../../lib/trailing-slashes.ts';

/** @param primary - the setting: `HOST`, `HOST:PORT` or a URL; the port is 8140 when absent. @returns without a slash at the end */
export function primaryUrlOf(primary: string): string {
  const text = primary.startsWith('https://') ? primary : `https://${primary}`;
  const hasPort = /:\d+\/?$/.test(text);
  return `${withoutTrailingSlashes(text)}${hasPort ? '' : ':8140'}`;
}
