/** `npm run format`: rewrites the sources in the project's format. */

import { runAll } from './run.ts';

process.exitCode = await runAll([{ title: 'format', command: 'biome', args: ['check', '--write', '.'] }]);
