import { stripEnd, stripStart } from './strip-text.ts';
import { textFunction } from './text-function.ts';

/** `strip(arg)`: removes white space and null characters on both sides. */
export const strip = textFunction('strip', (text) => stripEnd(stripStart(text)));
