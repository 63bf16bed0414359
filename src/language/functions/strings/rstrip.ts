import { stripEnd } from './strip-text.ts';
import { textFunction } from './text-function.ts';

/** `rstrip(arg)`: removes white space and null characters at the end. */
export const rstrip = textFunction('rstrip', stripEnd);
