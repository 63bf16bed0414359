import { capitalizeText } from './letter-case.ts';
import { textFunction } from './text-function.ts';

/** `capitalize(arg)`: the first character in upper case, all others in lower case. */
export const capitalize = textFunction('capitalize', capitalizeText);
