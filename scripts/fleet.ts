/** `npm run fleet -- [DIR]`: compiles the nodes of the recorded fleet and compares with what real Puppet gave. */

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

const shared = resolve(import.meta.dirname, '../../shared/fleet');
const { positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string' },
    all: { type: 'boolean' },
    limit: { type: 'string' },
    ruby: { type: 'string' },
  },
});

if (positionals.length > 0 || existsSync(shared)) {
  await import('../test/fleet/run-fleet.ts');
  await import('../test/fleet/run-static.ts');
} else {
  console.error(`SKIPPED: fleet: there is no ${shared}, and no directory was named`);
  process.exitCode = process.env['CI'] === 'true' ? 1 : 0;
}
