import { renderPosition } from '../syntax/index.ts';
import type { CallContext } from './function.ts';

/** Warns once in a compile of a deprecated use; the position is unknown, and the text says so. */
export function warnDeprecated(context: CallContext, key: string, message: string): void {
  context.warnOnce(key, `${message}\n   (file & line not available)`, 'unique', 'deprecations');
}

/** As `warnDeprecated`, with the place of the call. */
export function warnDeprecatedHere(context: CallContext, key: string, message: string): void {
  const { file = 'unknown', line } = context.position;
  const place = renderPosition(line === undefined ? { file } : { file, line });
  context.warnOnce(key, `${message}\n  ${place}`, 'unique', 'deprecations');
}
