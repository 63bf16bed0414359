import { expect, test } from 'vitest';
import { renderAccess } from './access-line.ts';

test('an access line has the words of a message, and what a client wrote cannot add a line', () => {
  const at = new Date('2026-11-26T01:02:03.004Z');
  const who = { address: '10.0.0.1', commonName: 'a.test' };
  const message = {
    sender: 'pcp://a.test/agent',
    messageType: 'x\ny z',
    id: '1',
    targets: ['pcp:///server'],
  };

  expect(renderAccess({ outcome: 'AUTHORIZATION_FAILURE', ...who, ...message }, at)).toBe(
    '[2026-11-26T01:02:03.004Z] AUTHORIZATION_FAILURE 10.0.0.1 a.test pcp://a.test/agent x_y_z 1 pcp:///server\n',
  );
  expect(renderAccess({ outcome: 'DESERIALIZATION_ERROR', ...who }, at)).toBe(
    '[2026-11-26T01:02:03.004Z] DESERIALIZATION_ERROR 10.0.0.1 a.test - - - -\n',
  );
});
