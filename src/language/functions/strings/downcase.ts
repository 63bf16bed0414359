import { lowerCase } from './letter-case.ts';
import { letterCaseFunction } from './letter-case-function.ts';

/** `downcase(arg)`: every string in it in lower case. */
export const downcase = letterCaseFunction('downcase', lowerCase);
