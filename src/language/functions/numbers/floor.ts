import { roundingFunction } from './rounding-function.ts';

/** `floor(val)`: the number rounded down to an integer; of a string too, with a warning. */
export const floor = roundingFunction('floor', Math.floor);
