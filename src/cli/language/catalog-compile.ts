/** `bunraku catalog compile` */

import { silentLogger } from '../../platform/log/index.ts';
import { compileOffline, type OfflineCompile } from '../../server/compiler/offline-compile.ts';
import { locateCode } from '../code/location.ts';
import { type Command, UsageError } from '../command.ts';
import { lastOf, readCommandLine, refuseWords } from '../own-options.ts';
import { findKnownFacts, withKnownPuppetDb } from '../puppetdb/known-puppetdb.ts';
import { printMessages, refuseCompile } from './compile-messages.ts';
import { renderProfile } from './compile-profile.ts';
import { readFactsFile, readJsonFile } from './facts-file.ts';
import { puppetDbQueryOption, puppetDbQueryUsage, readQueryAnswers } from './query-answers.ts';
import { readExtensions } from './trusted-extensions.ts';

export const catalogCompileCommand: Command = {
  name: 'catalog compile',
  summary: 'Compile the catalog of one node without a server',
  usage: `
Usage: bunraku catalog compile CERTNAME [OPTIONS] [--SETTING VALUE ...]

  --code DIR           The environment's directory, for instance a checkout of the control repository
                       (default: ENVIRONMENT below the setting environmentpath)
  --environment NAME   The environment's name (default: production)
  --facts FILE         JSON or YAML: what 'puppet facts' or 'facter --json' prints, or {"name", "values"}
                       (default: on a server, what PuppetDB knows of the node)
  --extension NAME=V   A trusted extension, for instance pp_role=webserver; may be given several times
  --puppetdb-query empty|FILE
                       What puppetdb_query() gives: no rows, or those in FILE (see below)
                       (default: what PuppetDB says on a server, an error without one)
  --node FILE          JSON of an external node classifier: {"classes", "parameters"}
  --plain              Render as application/json instead of application/vnd.puppet.rich+json
  --profile            Print the classes, functions and lookups that took the time to standard error

The catalog goes to standard output, messages of the manifests to standard error. Exit code 1 when it does not compile.
Without a PuppetDB, collectors of exported resources find what the node itself exports.
${puppetDbQueryUsage}`,
  async run(args, io) {
    const line = readCommandLine(args, {
      withValue: ['--code', '--environment', '--facts', '--node', '--extension', puppetDbQueryOption],
      flags: ['--plain', '--profile'],
    });
    const [certname, ...more] = line.positional;
    if (certname === undefined) throw new UsageError('name the node whose catalog is wanted');
    refuseWords(more);
    const factsFile = lastOf(line, '--facts');
    const answerQuery = readQueryAnswers(line);
    const given = factsFile === undefined ? undefined : readFactsFile(factsFile);
    try {
      const compiled = await withKnownPuppetDb(line.settings, async (puppetDb) => {
        const facts = given ?? (await findKnownFacts(puppetDb, certname.toLowerCase()));
        const compile = {
          certname: certname.toLowerCase(),
          ...locateCode(lastOf(line, '--code'), lastOf(line, '--environment'), line.settings),
          facts: facts?.text ?? {},
          trustedExtensions: readExtensions(line.values.get('--extension') ?? []),
          node: readNode(lastOf(line, '--node')),
          format: line.flags.has('--plain') ? 'json' : 'rich_data_json',
          isProfiled: line.flags.has('--profile'),
          puppetDb: puppetDb?.compiler,
          answerQuery,
        } as const;
        return await compileOffline(compile, line.settings, silentLogger);
      });
      printMessages(compiled.logs, io);
      if (compiled.profile !== undefined) io.stderr(renderProfile(compiled.profile, compiled.layers));
      io.stdout(`${Buffer.from(compiled.catalog).toString('utf8')}\n`);
      return 0;
    } catch (error) {
      return refuseCompile(error, io);
    }
  },
};

type Node = OfflineCompile['node'];

function readNode(file: string | undefined): Node {
  if (file === undefined) return { classes: {}, parameters: {} };
  const data = readJsonFile(file);
  const classes = data['classes'] ?? {};
  const byName = Array.isArray(classes)
    ? Object.fromEntries(classes.map((name) => [String(name), null]))
    : (classes as Node['classes']);
  return { classes: byName, parameters: (data['parameters'] ?? {}) as Node['parameters'] };
}
