import { expect, test } from 'vitest';
import { UsageError } from './command.ts';
import { requestJson } from './primary-connection.ts';

test.each(['compile1.test/v1', 'http://primary.test:8140/v1', 'https://a b:8140/v1'])(
  'what is no URL that can be asked is a mistake of the command line: %s',
  async (url) => {
    await expect(requestJson({}, { method: 'GET', url })).rejects.toThrow(UsageError);
  },
);
