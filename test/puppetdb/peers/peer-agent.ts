/** Runs of the real agent, and the catalogs that it got. */

import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../../ca/real-puppetserver.ts';

export interface PeerAgent {
  /** One run. @returns the catalog as the agent has kept it @throws Error with the output when it does not end well */
  catalog(): Promise<string>;
}

const places = ['conf', 'var', 'ssl', 'public', 'log', 'run'];

export function peerAgent(certname: string, base: string, serverPort: number): PeerAgent {
  const directory = join(base, 'agents', certname);
  for (const name of places) mkdirSync(join(directory, name), { recursive: true });
  const directories = places.flatMap((name) => [`--${name}dir`, join(directory, name)]);
  const target = ['--server', 'localhost', '--serverport', String(serverPort), '--certname', certname];
  const how = ['--test', '--detailed-exitcodes', '--color=false', '--waitforcert', '0'];
  return {
    async catalog() {
      const { exitCode, output } = await run('puppet', ['agent', ...how, ...target, ...directories]);
      if (exitCode !== 0 && exitCode !== 2)
        throw new Error(`agent ${certname} ended with ${exitCode}:\n${output}`);
      return readFileSync(join(directory, 'var', 'client_data', 'catalog', `${certname}.json`), 'utf8');
    },
  };
}
