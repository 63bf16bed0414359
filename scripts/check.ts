/** `npm run check`: everything that can be said about the code without a server or an agent. */

import { runAll } from './run.ts';
import { staticChecks, unitTests } from './steps.ts';

process.exitCode = await runAll([staticChecks, unitTests]);
