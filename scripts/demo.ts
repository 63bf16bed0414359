/**
 * `npm run demo [-- DIRECTORY]`: everything is kept in the directory, `.demo` when absent. `npm run demo -- --autoscale` shows compile servers that
 * come and go with a load.
 */

import { resolve } from 'node:path';
import { runDemo } from '../demo/demo.ts';

const words = process.argv.slice(2);
const directory = words.find((word) => !word.startsWith('--'));
process.exitCode = await runDemo({
  directory: directory === undefined ? undefined : resolve(directory),
  isAutoscaled: words.includes('--autoscale'),
});
