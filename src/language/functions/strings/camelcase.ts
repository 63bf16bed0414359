import { capitalizeText } from './letter-case.ts';
import { textFunction } from './text-function.ts';

/** `camelcase(arg)`: joins the words that underscores separate, each capitalized: `home_user` to `HomeUser`. */
export const camelcase = textFunction('camelcase', (text) => text.split('_').map(capitalizeText).join(''));
