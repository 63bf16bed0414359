/** `bunraku lookup` */

import type { LookupQuestion } from '../../language/evaluator/index.ts';
import { silentLogger } from '../../platform/log/index.ts';
import { askOffline, type OfflineCompile } from '../../server/compiler/offline-compile.ts';
import type { Question } from '../../services/compiler/index.ts';
import { locateCode } from '../code/location.ts';
import { type Command, UsageError } from '../command.ts';
import { type CommandLine, lastOf, readCommandLine } from '../own-options.ts';
import { findKnownFacts, withKnownPuppetDb } from '../puppetdb/known-puppetdb.ts';
import { printMessages, refuseCompile } from './compile-messages.ts';
import { type GivenFacts, readFactsFile } from './facts-file.ts';
import { puppetDbQueryOption, puppetDbQueryUsage, readQueryAnswers } from './query-answers.ts';
import { readExtensions } from './trusted-extensions.ts';

export const lookupCommand: Command = {
  name: 'lookup',
  summary: 'Look data up as a node would, and explain where it comes from',
  usage: `
Usage: bunraku lookup KEY ... [OPTIONS] [--SETTING VALUE ...]

  --node CERTNAME        The node (default: this host)
  --facts FILE           Its facts, JSON or YAML: what 'puppet facts' or 'facter --json' prints, or {"name", "values"}
                         (default: what PuppetDB knows of the node)
  --code DIR             The environment's directory, for instance a checkout of the control repository
                         (default: ENVIRONMENT below the setting environmentpath)
  --environment NAME     The environment's name (default: production)
  --explain              Explain how the value was found, instead of printing it
  --explain-options      Explain which lookup options apply to the key
  --merge STRATEGY       first, unique, hash or deep, whatever the lookup options say
  --knock-out-prefix P   With --merge deep: values that begin with it take others away
  --sort-merged-arrays   With --merge deep
  --merge-hash-arrays    With --merge deep
  --type TYPE            The data type that the value must have
  --default VALUE        The value when nothing is found
  --compile              Compile the node's catalog first: the hierarchy may use variables of manifests
  --extension NAME=V     A trusted extension; may be given several times
  --puppetdb-query empty|FILE
                         What puppetdb_query() gives: no rows, or those in FILE (see below)
                         (default: what PuppetDB says on a server, an error without one)
  --render-as FORMAT     yaml (default), json or s

Of several keys the first that is found counts. Exit code 1 when none is.
${puppetDbQueryUsage}`,
  async run(args, io) {
    const line = readCommandLine(args, optionNames);
    const question = questionOf(line);
    const { settings } = line;
    const factsFile = lastOf(line, '--facts');
    const given = factsFile === undefined ? undefined : readFactsFile(factsFile);
    if (factsFile !== undefined && given !== undefined) checkTrustedFacts(given, factsFile);
    const certname = (lastOf(line, '--node') ?? settings.certname).toLowerCase();
    try {
      const answer = await withKnownPuppetDb(settings, async (puppetDb) => {
        const facts = given ?? (await findKnownFacts(puppetDb, certname));
        if (facts === undefined || Object.keys(facts.values).length === 0)
          throw new UsageError(`No facts available for target node: ${certname}`);
        return await askOffline(
          { certname, puppetDb: puppetDb?.compiler, ...compileOf(line, facts) },
          question,
          settings,
          silentLogger,
        );
      });
      printMessages(answer.logs, io);
      if (answer.text !== undefined) io.stdout(`${answer.text}\n`);
      if (answer.failure === undefined) return 0;
      io.stderr(`Error: ${answer.failure}\n`);
      return 1;
    } catch (error) {
      return refuseCompile(error, io);
    }
  },
};

function compileOf(line: CommandLine, facts: GivenFacts): Omit<OfflineCompile, 'certname'> {
  return {
    ...locateCode(lastOf(line, '--code'), lastOf(line, '--environment'), line.settings),
    ...(line.flags.has('--compile') ? {} : { code: 'undef' }),
    facts: facts.text,
    // The reference looks up without them, on a server, too.
    serverFacts: {},
    trustedExtensions: readExtensions(line.values.get('--extension') ?? []),
    node: { classes: {}, parameters: {} },
    format: 'rich_data_json',
    answerQuery: readQueryAnswers(line),
  };
}

const optionNames = {
  withValue: [
    '--node',
    '--facts',
    '--code',
    '--environment',
    '--merge',
    '--knock-out-prefix',
    '--type',
    '--default',
    '--extension',
    '--render-as',
    puppetDbQueryOption,
  ],
  flags: ['--explain', '--explain-options', '--sort-merged-arrays', '--merge-hash-arrays', '--compile'],
};

/** What the reference asks for when only the lookup options of keys without a module are wanted. */
const noKey = '__global__';

function questionOf(line: CommandLine): Question {
  const isExplained = line.flags.has('--explain');
  const showsOptions = line.flags.has('--explain-options');
  const explain = isExplained
    ? showsOptions
      ? 'options'
      : 'data'
    : showsOptions
      ? 'only-options'
      : undefined;
  const names = line.positional.length === 0 && explain === 'only-options' ? [noKey] : line.positional;
  if (names.length === 0) throw new UsageError('No keys were given to lookup.');
  const renderAs = lastOf(line, '--render-as') ?? 'yaml';
  if (renderAs !== 'yaml' && renderAs !== 'json' && renderAs !== 's')
    throw new UsageError(`Unknown rendering format '${renderAs}'`);
  if (explain !== undefined && lastOf(line, '--render-as') !== undefined && renderAs !== 's')
    throw new UsageError('explanations are text: --render-as s');
  return {
    kind: 'lookup',
    renderAs,
    lookup: { names, ...optionsOf(line), ...(explain === undefined ? {} : { explain }) },
  };
}

function optionsOf(line: CommandLine): Omit<LookupQuestion, 'names'> {
  const merge = mergeOf(line);
  const type = lastOf(line, '--type');
  const defaultValue = lastOf(line, '--default');
  return {
    ...(merge === undefined ? {} : { merge }),
    ...(type === undefined ? {} : { type }),
    ...(defaultValue === undefined ? {} : { defaultValue }),
  };
}

function mergeOf(line: CommandLine): LookupQuestion['merge'] {
  const strategy = lastOf(line, '--merge');
  const prefix = lastOf(line, '--knock-out-prefix');
  const [sorts, mergesHashes] = [
    line.flags.has('--sort-merged-arrays'),
    line.flags.has('--merge-hash-arrays'),
  ];
  if ((sorts || mergesHashes || prefix !== undefined) && strategy !== 'deep') {
    const options = '--knock-out-prefix, --sort-merged-arrays, and --merge-hash-arrays';
    throw new UsageError(`The options ${options} are only available with '--merge deep'`);
  }
  if (strategy === undefined) return undefined;
  if (!['first', 'unique', 'hash', 'deep'].includes(strategy))
    throw new UsageError("The --merge option only accepts 'first', 'hash', 'deep', or 'unique'");
  if (strategy !== 'deep') return { strategy };
  return {
    strategy,
    sort_merged_arrays: sorts,
    merge_hash_arrays: mergesHashes,
    ...(prefix === undefined ? {} : { knockout_prefix: prefix }),
  };
}

const trustedNames = ['hostname', 'domain', 'fqdn', 'clientcert'];

function checkTrustedFacts({ values }: GivenFacts, file: string): void {
  const given = trustedNames.filter((name) => name in values);
  if (given.length === 0 || given.length === trustedNames.length) return;
  throw new UsageError(
    `When overriding any of the ${trustedNames.join(',')} facts with ${file} given via the --facts flag, ` +
      'they must all be overridden.',
  );
}
