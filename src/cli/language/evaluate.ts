/** `bunraku evaluate` */

import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from '../../platform/log/index.ts';
import { askOffline } from '../../server/compiler/offline-compile.ts';
import { type CodeLocation, environmentDirectory, locateCode } from '../code/location.ts';
import { type Command, UsageError } from '../command.ts';
import { type CommandLine, lastOf, readCommandLine } from '../own-options.ts';
import { printMessages, refuseCompile } from './compile-messages.ts';
import { readFactsFile, readText } from './facts-file.ts';
import { puppetDbQueryOption, puppetDbQueryUsage, readQueryAnswers } from './query-answers.ts';

export const evaluateCommand: Command = {
  name: 'evaluate',
  summary: 'Evaluate Puppet code and print the value of its last expression',
  usage: `
Usage: bunraku evaluate -e CODE | FILE [OPTIONS] [--SETTING VALUE ...]

  -e CODE              What to evaluate, instead of the main manifest
  --code DIR           The environment whose modules and data the code sees
                       (default: ENVIRONMENT below the setting environmentpath)
  --environment NAME   The environment's name (default: production)
  --facts FILE         JSON or YAML: what 'puppet facts' or 'facter --json' prints, or {"name", "values"}
  --node CERTNAME      The node that the code is compiled for (default: this host)
  --puppetdb-query empty|FILE
                       What puppetdb_query() gives: no rows, or those in FILE (see below)
                       (default: an error)

The code is compiled as a manifest is, and nothing is applied. The value goes to standard output, messages to standard
error. Exit code 1 when it does not compile.
${puppetDbQueryUsage}`,
  async run(args, io) {
    const line = readCommandLine(args, {
      withValue: ['-e', '--code', '--environment', '--facts', '--node', puppetDbQueryOption],
      flags: [],
    });
    const { settings } = line;
    const facts = lastOf(line, '--facts');
    const empty = mkdtempSync(join(tmpdir(), 'bunraku-evaluate-'));
    try {
      const answer = await askOffline(
        {
          certname: (lastOf(line, '--node') ?? settings.certname).toLowerCase(),
          ...codeAround(line, empty),
          code: codeOf(lastOf(line, '-e'), line.positional),
          facts: facts === undefined ? {} : readFactsFile(facts).text,
          trustedExtensions: {},
          answerQuery: readQueryAnswers(line),
          node: { classes: {}, parameters: {} },
          format: 'rich_data_json',
        },
        { kind: 'last-value' },
        settings,
        silentLogger,
      );
      printMessages(answer.logs, io);
      io.stdout(`${answer.text ?? ''}\n`);
      return 0;
    } catch (error) {
      return refuseCompile(error, io);
    } finally {
      rmSync(empty, { recursive: true });
    }
  },
};

/** Code can be evaluated where there are no environments at all. */
function codeAround(line: CommandLine, empty: string): CodeLocation {
  const [code, environment] = [lastOf(line, '--code'), lastOf(line, '--environment')];
  const { settings } = line;
  const standard = environmentDirectory(settings.environment, settings);
  if (code === undefined && environment === undefined && !existsSync(standard))
    return { directory: empty, environment: settings.environment };
  return locateCode(code, environment, settings);
}

function codeOf(given: string | undefined, files: readonly string[]): string {
  const [file, ...more] = files;
  if (given !== undefined && file === undefined) return given;
  if (given === undefined && file !== undefined && more.length === 0) return readText(file);
  throw new UsageError('give either -e CODE or one FILE');
}
