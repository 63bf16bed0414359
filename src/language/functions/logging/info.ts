import { logFunction } from './log-function.ts';

/** `info(*values)`: logs the values as information. */
export const info = logFunction('info');
