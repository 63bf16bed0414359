import { logFunction } from './log-function.ts';

/** `crit(*values)`: logs the values as a critical condition. */
export const crit = logFunction('crit');
