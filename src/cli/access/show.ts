/** `bunraku access show` */

import { readFileSync } from 'node:fs';
import type { Command } from '../command.ts';
import { readCommandLine, refuseWords } from '../own-options.ts';
import { accessOptions, tokenFileIn } from './access-config.ts';

export const accessShowCommand: Command = {
  name: 'access show',
  summary: "Print the token that 'bunraku access login' has kept",
  usage: `
Usage: bunraku access show [--token-file FILE]

For scripts: curl -H "X-Authentication: $(bunraku access show)" ...
`,
  async run(args, io) {
    const line = readCommandLine(args, { withValue: accessOptions, flags: [] });
    refuseWords(line.positional);
    const file = tokenFileIn(line);
    let text: string;
    try {
      text = readFileSync(file, 'utf8');
    } catch (cause) {
      throw new Error(`cannot read ${file}: log in with 'bunraku access login'`, { cause });
    }
    io.stdout(`${text.trim()}\n`);
    return 0;
  },
};
