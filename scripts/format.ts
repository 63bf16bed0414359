/** `npm run format`: rewrites the sources in the project's format. */

import { run } from './run.ts';

process.exitCode = await run({ title: 'format', command: 'biome', args: ['check', '--write', '.'] });
