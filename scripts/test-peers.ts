/**
 * `npm run test:peers`: what takes minutes and gigabytes: comparisons with Debian's puppetserver and puppetdb and of every
 * resource type of the installed modules, fuzzing, and a day of an installation. Run it after a change of the code that they compare; `npm test` replays what some
 * of them recorded.
 */

import { ensurePackages, peerPackages, testPackages } from './debian-packages.ts';
import { runAll, type Step } from './run.ts';

const missing = ensurePackages([...testPackages, ...peerPackages]);
for (const { name, purpose } of missing) console.error(`MISSING: Debian package ${name} (${purpose})`);
if (missing.length > 0) process.exit(1);

/** Tests of `vitest`, with a variable that turns on everything. */
function tests(title: string, variable: string, ...args: readonly string[]): Step {
  return { title, command: 'env', args: [variable, 'vitest', 'run', ...args] };
}

function scenarios(title: string, variable: string, ...args: readonly string[]): Step {
  return tests(title, variable, '--config=test/e2e/vitest.config.ts', ...args);
}

process.exitCode = await runAll([
  ...['7', '8', '9'].map((level) => ({
    title: `conformance at level ${level}, with a Ruby for each case`,
    command: 'node',
    args: ['scripts/conformance.ts', '--own-ruby', '--level', level],
  })),
  {
    title: 'queries beside the real PuppetDB',
    command: 'node',
    args: ['test/puppetdb/differential.ts', '--real'],
  },
  { title: 'the CA beside the real puppetserver', command: 'node', args: ['test/ca/differential.ts'] },
  {
    title: 'puppetserver on our PuppetDB, our servers on the real one',
    command: 'node',
    args: ['test/puppetdb/peers/run.ts'],
  },
  {
    title: 'lookups beside the real Puppet',
    command: 'node',
    args: ['test/hiera/compare-with-puppet.ts'],
  },
  {
    title: 'resource types of modules beside the real Puppet',
    command: 'node',
    args: ['test/resource-types/compare-with-puppet.ts'],
  },
  {
    title: 'a million damaged inputs for each parser that the network reaches',
    command: 'node',
    args: ['test/fuzz/run.ts', '--count', '1000000'],
  },
  tests(
    'a thousand orders in which a server and its agent ask for their certificate',
    'BUNRAKU_INTERLEAVINGS=1000',
    'test/ca/shared-certificate.test.ts',
  ),
  scenarios(
    'five reboots in each order of service and agent',
    'BUNRAKU_REBOOTS=5',
    'test/e2e/reboot-orders.e2e.ts',
  ),
  {
    title: 'agents of several versions in one installation (BUNRAKU_AGENT_SOURCES names more of them)',
    command: 'vitest',
    args: ['run', '--config=test/e2e/vitest.config.ts', 'test/e2e/agent-versions.e2e.ts'],
  },
  tests(
    'logins by Active Directory (Samba, as root) and OpenLDAP with 5,000 people',
    'BUNRAKU_PEERS=yes',
    'test/access/directories.test.ts',
  ),
  tests(
    'logins by a SAML identity provider (pysaml2)',
    'BUNRAKU_PEERS=yes',
    'test/access/saml-provider.test.ts',
  ),
  scenarios('the Debian package below a real systemd', 'BUNRAKU_PEERS=yes', 'test/e2e/booted-units.peers.ts'),
  scenarios(
    'drills of a pool of compile servers that comes and goes (an hour)',
    'BUNRAKU_PEERS=yes',
    '--no-file-parallelism',
    'test/e2e/pool-',
  ),
  scenarios(
    'the scripts of the article on autoscaling (GUIDE_SCRIPTS names a directory with them)',
    'BUNRAKU_PEERS=yes',
    'test/e2e/guide-autoscaling-scripts.peers.ts',
  ),
  scenarios(
    'machines of a group below a real systemd',
    'BUNRAKU_PEERS=yes',
    'test/e2e/autoscaled-unit.peers.ts',
  ),
  {
    title: 'five rounds of lost brokers while jobs run',
    command: 'node',
    args: ['test/brokers/run.ts'],
  },
  { title: 'a day of an installation', command: 'node', args: ['test/soak/run.ts'] },
]);
