import { logFunction } from './log-function.ts';

/** `err(*values)`: logs the values as an error; the compile goes on. */
export const err = logFunction('err');
