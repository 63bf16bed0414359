import { logFunction } from './log-function.ts';

/** `emerg(*values)`: logs the values as an emergency. */
export const emerg = logFunction('emerg');
