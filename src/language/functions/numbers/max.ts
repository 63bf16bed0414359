import { extremeFunction } from './extreme-function.ts';

/** `max(*values)` or `max(array)`: the greatest, by a block when there is one. */
export const max = extremeFunction('max', 1);
