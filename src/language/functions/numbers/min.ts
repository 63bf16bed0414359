import { extremeFunction } from './extreme-function.ts';

/** `min(*values)` or `min(array)`: the least, by a block when there is one. */
export const min = extremeFunction('min', -1);
