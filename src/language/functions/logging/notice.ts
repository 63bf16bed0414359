import { logFunction } from './log-function.ts';

/** `notice(*values)`: logs the values as something worth noticing. */
export const notice = logFunction('notice');
