import { expect, test } from 'vitest';
import { type Logger, silentLogger } from '../../../platform/log/index.ts';
import { runPostrun } from './postrun.ts';

test('a command may print as much as it likes', async () => {
  const lines: [string, unknown][] = [];
  const log: Logger = {
    ...silentLogger,
    info: (fields, message) => void lines.push([message, fields]),
    warn: (fields, message) => void lines.push([message, fields]),
  };
  const program = process.execPath;

  await runPostrun([program, '-e', "console.log('x'.repeat(4_000_000))"], ['production'], {}, log);

  expect(lines).toEqual([['ran the postrun command', { program }]]);
});
