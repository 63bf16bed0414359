import { stripStart } from './strip-text.ts';
import { textFunction } from './text-function.ts';

/** `lstrip(arg)`: removes white space and null characters in front. */
export const lstrip = textFunction('lstrip', stripStart);
