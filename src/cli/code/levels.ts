/** `bunraku code levels` */

import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { isLevelNumber, type LevelNumber } from '../../language/levels/index.ts';
import { keepNumber } from '../../lib/raw-json.ts';
import { ServiceError } from '../../lib/service-error.ts';
import { HttpClient } from '../../platform/http-client/index.ts';
import { silentLogger } from '../../platform/log/index.ts';
import { startProcess } from '../../platform/processes/index.ts';
import type { Settings } from '../../platform/settings/index.ts';
import { isLegacyFact } from '../../server/compiler/legacy-facts.ts';
import { type OfflineNode, withOfflineCompiler } from '../../server/compiler/offline-compile.ts';
import type { UsedPuppetDb } from '../../server/node-data/used-puppetdb.ts';
import { nodeTerminus } from '../../server/nodes/node-termini.ts';
import { RemoteClassifiedNodes } from '../../services/classifier/index.ts';
import type { NodeTerminus } from '../../services/compiler/index.ts';
import { type Command, UsageError } from '../command.ts';
import { outputFormat, renderJson } from '../output-format.ts';
import { type CommandLine, lastOf, readCommandLine, refuseWords } from '../own-options.ts';
import { localAddresses, primaryUrl } from '../primary-connection.ts';
import { withKnownPuppetDb } from '../puppetdb/known-puppetdb.ts';
import { tableLines } from '../text-table.ts';
import { type Finding, type LevelsPreview, levelAfter, previewLevels } from './levels-preview.ts';
import { locateCode } from './location.ts';

export const codeLevelsCommand: Command = {
  name: 'code levels',
  summary: 'Show what the next language level would break or change, node by node',
  usage: `
Usage: bunraku code levels [ENVIRONMENT] [OPTIONS] [--SETTING VALUE ...]

  --from LEVEL            7, 8 or 9 (default: what the environment is compiled at today)
  --to LEVEL              The level to compare with (default: the next one)
  --code DIR              The environment's directory (default: ENVIRONMENT in the staging
                          directory, else below the setting environmentpath)
  --node CERTNAME         Only this node; may be given several times
  --without-legacy-facts  Leave out the facts that agents from Puppet 8 on do not send
  --format FORMAT         text (default) or json

Compiles the catalog of each active node of the environment (default: production) at both levels, on this machine, with the
facts that PuppetDB has of it and the classification that it has today. Nothing is stored and no agent notices.

  breaks   the catalog no longer compiles, and this is why
  warns    a warning that is new, or an error as soon as 'strict' has the default of the level
  changes  a resource is new, gone or different
  mends    the catalog does not compile today, and will

Exit code 0 when every catalog stays the same, 1 when not.
`,
  async run(args, io) {
    const line = readCommandLine(args, {
      withValue: ['--from', '--to', '--code', '--node', '--format', '-F'],
      flags: ['--without-legacy-facts'],
    });
    const [environment, ...more] = line.positional;
    refuseWords(more);
    const format = outputFormat(line);
    const location = locate(line, environment);
    const preview = await withKnownPuppetDb(line.settings, async (puppetDb) => {
      if (puppetDb === undefined)
        throw new UsageError(
          'this machine is no server of an installation: there is no PuppetDB to ask for nodes',
        );
      return await inWords(() => previewWith(puppetDb, line, location));
    });
    const findings = preview.findings.map((finding) => within(location.directory, finding));
    const shown = { environment: location.environment, ...preview, findings };
    io.stdout(format === 'json' ? renderJson(shown) : render(shown));
    return preview.findings.length === 0 ? 0 : 1;
  },
};

/** On a primary the staged code: what is live is below the state directory, by its commit. */
function locate(line: CommandLine, name: string | undefined): ReturnType<typeof locateCode> {
  const { codeStagingDir, environment } = line.settings;
  const staged = join(codeStagingDir, 'environments', name ?? environment);
  const code = lastOf(line, '--code') ?? (existsSync(staged) ? staged : undefined);
  return locateCode(code, name ?? environment, line.settings);
}

async function previewWith(
  puppetDb: UsedPuppetDb,
  line: CommandLine,
  location: ReturnType<typeof locateCode>,
): Promise<LevelsPreview> {
  const { settings } = line;
  const workers = settings.compileWorkers === 0 ? availableParallelism() : settings.compileWorkers;
  const code = { ...location, puppetDb: puppetDb.compiler, workers };
  const { close, nodes } = knownNodes(settings);
  try {
    return await withOfflineCompiler(code, settings, silentLogger, async (compiler) => {
      const from = levelOf(line, '--from') ?? compiler.usual.level.number;
      const to = levelOf(line, '--to') ?? levelAfter(from);
      if (to === undefined) throw new UsageError(`there is no level after ${from}: name one with --to`);
      return await previewLevels(await certnamesOf(puppetDb, line, location.environment), {
        compiler,
        settings,
        from,
        to,
        concurrency: workers,
        load: (certname) => loadNode(certname, { line, location, nodes, puppetDb }),
      });
    });
  } finally {
    close();
  }
}

function levelOf(line: CommandLine, option: '--from' | '--to'): LevelNumber | undefined {
  const text = lastOf(line, option);
  if (text === undefined) return undefined;
  const number = Number(text);
  if (isLevelNumber(number)) return number;
  throw new UsageError(`${option} is 7, 8 or 9, not '${text}'`);
}

const ACTIVE_NODES = ['from', 'nodes', ['extract', ['certname', 'facts_environment', 'catalog_environment']]];

const NodesWire = z.array(
  z.object({
    certname: z.string(),
    facts_environment: z.string().nullish(),
    catalog_environment: z.string().nullish(),
  }),
);

/** Nodes that are active and whose last catalog, or else last facts, are of the environment. */
async function certnamesOf(
  { compiler }: UsedPuppetDb,
  line: CommandLine,
  environment: string,
): Promise<readonly string[]> {
  const named = line.values.get('--node') ?? [];
  if (named.length > 0) return named.map((certname) => certname.toLowerCase());
  const rows = NodesWire.parse(
    JSON.parse(await compiler.query(JSON.stringify(ACTIVE_NODES), new AbortController().signal)),
  );
  return rows
    .filter((row) => (row.catalog_environment ?? row.facts_environment) === environment)
    .map(({ certname }) => certname)
    .toSorted();
}

interface Sources {
  readonly line: CommandLine;
  readonly location: ReturnType<typeof locateCode>;
  readonly nodes: NodeTerminus;
  readonly puppetDb: UsedPuppetDb;
}

/** @returns `undefined` when there are no facts of the node */
async function loadNode(
  certname: string,
  { line, location: { environment }, nodes, puppetDb }: Sources,
): Promise<OfflineNode | undefined> {
  const { signal } = new AbortController();
  const stored = await puppetDb.findFacts(certname, signal);
  if (stored === undefined) return undefined;
  const node = await nodes.find({ certname, environment, facts: stored }, signal);
  const leavesOut = line.flags.has('--without-legacy-facts');
  const text = stored.exactValues ?? JSON.stringify(stored.values);
  const { trusted, ...facts } = JSON.parse(text, keepNumber) as Readonly<Record<string, unknown>>;
  const kept = Object.entries(facts).filter(([name]) => !leavesOut || !isLegacyFact(name));
  return {
    certname,
    facts: JSON.stringify(Object.fromEntries(kept)),
    trustedExtensions: TrustedWire.parse(trusted ?? {}).extensions,
    node: node ?? { classes: {}, parameters: {} },
  };
}

/** What a node's certificate said of it when it sent its facts. */
const TrustedWire = z.object({ extensions: z.record(z.string(), z.string()).catch({}).default({}) });

/** Who classifies nodes for the servers of this installation. */
function knownNodes(settings: Settings): { readonly nodes: NodeTerminus; close(): void } {
  const processes = { start: startProcess };
  if (settings.nodeTerminus !== 'classifier')
    return { nodes: nodeTerminus({ processes, settings }, undefined), close: () => {} };
  const client = new HttpClient({
    addresses: localAddresses(settings),
    ca: readFileSync(settings.localCaCert, 'utf8'),
    certificate: readFileSync(settings.hostCert, 'utf8'),
    privateKey: readFileSync(settings.hostPrivKey, 'utf8'),
  });
  const options = { client, primaryUrl: primaryUrl(settings), log: silentLogger };
  return { nodes: new RemoteClassifiedNodes(options), close: () => client.close() };
}

async function inWords<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ServiceError) throw new UsageError(error.message);
    throw error;
  }
}

function render({ failing, findings, from, nodes, same, to }: LevelsPreview): string {
  const summary = `Level ${from} to ${to}: ${same} of ${nodes} catalogs stay the same`;
  const others =
    failing.length === 0 ? '' : `, ${failing.length} do not compile at either (${listed(failing)})`;
  return `${[`${summary}${others}`, ...tableLines(findings.map(rowOf))].join('\n')}\n`;
}

/** Files of the environment are named from there on. */
function within(directory: string, { place, ...finding }: Finding): Finding {
  const { file } = place;
  const root = `${resolve(directory)}/`;
  if (file?.startsWith(root) !== true) return { ...finding, place };
  return { ...finding, place: { ...place, file: file.slice(root.length) } };
}

function rowOf({ advice, kind, message, nodes, place }: Finding): Readonly<Record<string, unknown>> {
  const { file = '', line } = place;
  return {
    what: kind,
    nodes: `${nodes.length}: ${listed(nodes)}`,
    where: line === undefined ? file : `${file}:${line}`,
    message,
    'how to fix it': advice ?? '',
  };
}

const mostNames = 3;

function listed(names: readonly string[]): string {
  const more = names.length - mostNames;
  return names.slice(0, mostNames).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
