import { roundingFunction } from './rounding-function.ts';

/** `ceiling(val)`: the number rounded up to an integer; of a string too, with a warning. */
export const ceiling = roundingFunction('ceiling', Math.ceil);
