import { logFunction } from './log-function.ts';

/** `warning(*values)`: logs the values as a warning. */
export const warning = logFunction('warning');
