/** A cluster's day in small: servers join, leave, die and are cut off while agents run and code is deployed. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, inject, test } from 'vitest';
import { Network } from './support/network.ts';
import { scenarios, scenariosUnless } from './support/requirements.ts';

const obstacle = Network.obstacle();
/** Compile servers, simulated agents, deploys, real agents, seconds between two runs. */
const size = [3, 20, 8, 1, 5].map(String);

if (obstacle !== '') scenariosUnless(obstacle, 'A cluster that changes', () => {});
else
  scenarios('A cluster that changes', () => {
    test('serves each agent, from one version of the code at a time', async () => {
      const script = join(inject('project'), 'test', 'cluster', 'run.ts');
      const child = spawn(process.execPath, [script, ...size], { stdio: ['ignore', 'pipe', 'inherit'] });
      const [output, [exitCode]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
      console.log(output);

      expect(output).toContain('as it should be');
      expect(exitCode).toBe(0);
    });
  });
