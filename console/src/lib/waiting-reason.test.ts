import { expect, test } from 'vitest';
import { waitingReason } from './waiting-reason.ts';

test.each([
  ['autosign is false', 'autosign is off'],
  ['autosign by /etc/puppetlabs/puppet/autosign.conf', 'not in autosign.conf'],
  ['autosign by /usr/local/bin/sign-nodes', 'sign-nodes does not sign it'],
  [
    `default of signing.yaml: not 'servers' (other certname)`,
    `default of signing.yaml: not 'servers' (other certname)`,
  ],
])('%s is said as %s', (reason, words) => {
  expect(waitingReason(reason)).toBe(words);
});
