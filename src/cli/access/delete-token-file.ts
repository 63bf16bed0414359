/** `bunraku access delete-token-file` */

import { rmSync } from 'node:fs';
import type { Command } from '../command.ts';
import { readCommandLine, refuseWords } from '../own-options.ts';
import { accessOptions, tokenFileIn } from './access-config.ts';

export const accessDeleteTokenFileCommand: Command = {
  name: 'access delete-token-file',
  summary: "Delete the token that 'bunraku access login' has kept",
  usage: `
Usage: bunraku access delete-token-file [--token-file FILE]

The token itself counts until it ends; 'bunraku user token LOGIN --revoke' revokes it.
`,
  async run(args, io) {
    const line = readCommandLine(args, { withValue: [...accessOptions, '--token-path'], flags: [] });
    refuseWords(line.positional);
    const file = tokenFileIn(line);
    rmSync(file, { force: true });
    io.stderr(`Deleted ${file}\n`);
    return 0;
  },
};
