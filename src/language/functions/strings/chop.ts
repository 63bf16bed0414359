import { textFunction } from './text-function.ts';

/** `chop(arg)`: removes the last character, or `\r\n` when the text ends so. */
export const chop = textFunction('chop', (text) => text.replace(/(?:\r\n|[\s\S])$/u, ''));
