/** The program's entry: finds the command that the command line names and runs it. */

import { runCommandLine } from './cli/index.ts';

process.exitCode = await runCommandLine(process.argv.slice(2), new URL('../package.json', import.meta.url));
