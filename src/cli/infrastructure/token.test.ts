import { expect, test } from 'vitest';
import { UsageError } from '../command.ts';
import { runCommand } from '../run-command.testing.ts';
import { infrastructureTokenCommand } from './token.ts';

test.each(['', ' ', 'one', '-1', '0x10', '1e3', '1.5'])(
  'a token for %j servers is refused, which might be any number of them',
  async (uses) => {
    const made = runCommand(infrastructureTokenCommand, `--uses=${uses}`);

    await expect(made).rejects.toThrow(new UsageError(`--uses takes a number, not '${uses}'`));
  },
);
