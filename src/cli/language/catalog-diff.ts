/** `bunraku catalog diff` */

import { compareCatalogs } from '../../language/catalog/index.ts';
import { type Command, UsageError } from '../command.ts';
import { outputFormat, renderJson } from '../output-format.ts';
import { readCommandLine } from '../own-options.ts';
import { readCatalog, renderDifferences } from './catalog-comparison.ts';
import { readText } from './facts-file.ts';

export const catalogDiffCommand: Command = {
  name: 'catalog diff',
  summary: 'Compare two catalogs',
  usage: `
Usage: bunraku catalog diff OLD NEW [OPTIONS]

  --format FORMAT  text (default) or json
  --all            Compare files, lines and tags of resources, too

OLD and NEW are files that hold catalogs as 'bunraku catalog compile' prints them, or as an agent keeps them. Versions and
the identities of catalogs do not count, nor does the order of resources. Exit code 0 when they are the same, 1 when not.
`,
  run(args, io) {
    const line = readCommandLine(args, { withValue: ['--format'], flags: ['--all'] });
    const [before, after, ...more] = line.positional;
    if (before === undefined || after === undefined || more.length > 0)
      throw new UsageError('name two files, the old catalog and the new one');
    const format = outputFormat(line);
    const differences = compareCatalogs(open(before), open(after), {
      comparesOrigins: line.flags.has('--all'),
    });
    if (format === 'json') io.stdout(renderJson(differences));
    else io.stdout(renderDifferences(differences));
    return Promise.resolve(differences.isSame ? 0 : 1);
  },
};

function open(file: string): ReturnType<typeof readCatalog> {
  try {
    return readCatalog(readText(file));
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${file} is no catalog: ${(error as Error).message}`);
  }
}
