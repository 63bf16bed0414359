import { logFunction } from './log-function.ts';

/** `debug(*values)`: logs the values for whoever looks for a fault. */
export const debug = logFunction('debug');
