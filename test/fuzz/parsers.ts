/** Every parser that the network reaches. */

import { brokerParsers } from './broker-parsers.ts';
import { certificateParsers } from './certificate-parsers.ts';
import { consoleParsers } from './console-parsers.ts';
import type { Parser } from './fuzz.ts';
import { httpParsers } from './http-parsers.ts';
import { identityParsers } from './identity-parsers.ts';
import { jsonParsers } from './json-parsers.ts';
import { puppetDbParsers } from './puppetdb-parsers.ts';

export const parsers: readonly Parser[] = [
  ...httpParsers,
  ...certificateParsers,
  ...identityParsers,
  ...jsonParsers,
  ...puppetDbParsers,
  ...brokerParsers,
  ...consoleParsers,
];
