import { logFunction } from './log-function.ts';

/** `debug(*values)`: logs the values for debugging. */
export const debug = logFunction('debug');
