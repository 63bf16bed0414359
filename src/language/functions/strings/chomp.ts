import { textFunction } from './text-function.ts';

/** `chomp(arg)`: removes one line end: `\r\n`, `\n` or `\r`. */
export const chomp = textFunction('chomp', (text) => text.replace(/(?:\r\n|\n|\r)$/, ''));
