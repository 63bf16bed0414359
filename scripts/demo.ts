/** `npm run demo [-- DIRECTORY]`: everything is kept in the directory, `.demo` when absent. */

import { resolve } from 'node:path';
import { runDemo } from '../demo/demo.ts';

process.exitCode = await runDemo(process.argv[2] === undefined ? undefined : resolve(process.argv[2]));
