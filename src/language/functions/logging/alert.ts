import { logFunction } from './log-function.ts';

/** `alert(*values)`: logs the values as something that needs action at once. */
export const alert = logFunction('alert');
