/**
 * `npm run test:peers`: what takes minutes and gigabytes: comparisons with Debian's puppetserver and puppetdb and of every
 * resource type of the installed modules, fuzzing, and a day of an installation. Run it after a change of the code that they compare; `npm test` replays what some
 * of them recorded.
 */

import { ensurePackages, peerPackages, testPackages } from './debian-packages.ts';
import { runAll } from './run.ts';

const missing = ensurePackages([...testPackages, ...peerPackages]);
for (const { name, purpose } of missing) console.error(`MISSING: Debian package ${name} (${purpose})`);
if (missing.length > 0) process.exit(1);

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
  {
    title: 'a thousand orders in which a server and its agent ask for their certificate',
    command: 'env',
    args: ['BUNRAKU_INTERLEAVINGS=1000', 'vitest', 'run', 'test/ca/shared-certificate.test.ts'],
  },
  {
    title: 'five reboots in each order of service and agent',
    command: 'env',
    args: [
      'BUNRAKU_REBOOTS=5',
      'vitest',
      'run',
      '--config=test/e2e/vitest.config.ts',
      'test/e2e/reboot-orders.e2e.ts',
    ],
  },
  {
    title: 'agents of several versions in one installation (BUNRAKU_AGENT_SOURCES names more of them)',
    command: 'vitest',
    args: ['run', '--config=test/e2e/vitest.config.ts', 'test/e2e/agent-versions.e2e.ts'],
  },
  {
    title: 'logins by Active Directory (Samba, as root) and OpenLDAP with 5,000 people',
    command: 'env',
    args: ['BUNRAKU_PEERS=yes', 'vitest', 'run', 'test/access/directories.test.ts'],
  },
  {
    title: 'logins by a SAML identity provider (pysaml2)',
    command: 'env',
    args: ['BUNRAKU_PEERS=yes', 'vitest', 'run', 'test/access/saml-provider.test.ts'],
  },
  {
    title: 'the Debian package below a real systemd',
    command: 'env',
    args: [
      'BUNRAKU_PEERS=yes',
      'vitest',
      'run',
      '--config=test/e2e/vitest.config.ts',
      'test/e2e/booted-units.peers.ts',
    ],
  },
  {
    title: 'drills of a pool of compile servers that comes and goes (an hour)',
    command: 'env',
    args: [
      'BUNRAKU_PEERS=yes',
      'vitest',
      'run',
      '--config=test/e2e/vitest.config.ts',
      '--no-file-parallelism',
      'test/e2e/pool-',
    ],
  },
  {
    title: 'the scripts of the article on autoscaling (GUIDE_SCRIPTS names a directory with them)',
    command: 'env',
    args: [
      'BUNRAKU_PEERS=yes',
      'vitest',
      'run',
      '--config=test/e2e/vitest.config.ts',
      'test/e2e/guide-autoscaling-scripts.peers.ts',
    ],
  },
  {
    title: 'machines of a group below a real systemd',
    command: 'env',
    args: [
      'BUNRAKU_PEERS=yes',
      'vitest',
      'run',
      '--config=test/e2e/vitest.config.ts',
      'test/e2e/autoscaled-unit.peers.ts',
    ],
  },
  {
    title: 'five rounds of lost brokers while jobs run',
    command: 'node',
    args: ['test/brokers/run.ts'],
  },
  { title: 'a day of an installation', command: 'node', args: ['test/soak/run.ts'] },
]);
