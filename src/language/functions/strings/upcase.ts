import { letterCaseFunction } from './letter-case-function.ts';

/** `upcase(arg)`: every string in it in upper case. */
export const upcase = letterCaseFunction('upcase', (text) => text.toUpperCase());
