/** `npm run demo` */

import { runDemo } from '../demo/demo.ts';

process.exitCode = await runDemo();
