/** The same manifests compiled by the real Puppet with the real terminus, and by ours, on one PuppetDB. */

import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { defaultLanguageSettings } from '../../../src/language/environment/index.ts';
import type { LogLevel } from '../../../src/language/functions/index.ts';
import { ServiceError } from '../../../src/lib/service-error.ts';
import { silentLogger } from '../../../src/platform/log/index.ts';
import { type Compiled, WorkerPool } from '../../../src/services/compiler/index.ts';
import {
  FollowingClient,
  PuppetDbClient,
  parsePuppetDbConf,
} from '../../../src/services/puppetdb-client/index.ts';
import { builtWorker } from '../../support/built-worker.ts';
import { canonicalCatalog, differences } from '../../support/canonical-catalog.ts';
import { parseExactJson } from '../../support/exact-json.ts';
import { quickRuby } from '../../support/quick-ruby.ts';
import { type SecurePuppetDb, serverCertname } from './secure-puppetdb.ts';

export interface TerminusCase {
  readonly node: string;
  readonly code: string;
  /** A directory of modules. */
  readonly modules?: string;
  /** Whether the real Puppet sends the catalog to PuppetDB. */
  readonly saves?: boolean;
}

export interface CompileOutcome {
  /** JSON of the catalog, or of `{"error": {"message"}}`. */
  readonly catalog: string;
  /** Warnings and errors. */
  readonly logs: readonly string[];
}

export interface CompileSetting {
  readonly storeconfigs: boolean;
  /** Lines of `puppetdb.conf` besides its URLs. */
  readonly more?: readonly string[];
  /** Instead of the URL of the PuppetDB. */
  readonly serverUrls?: string;
}

function confOf(puppetDb: SecurePuppetDb, { more = [], serverUrls }: CompileSetting): string {
  return ['[main]', `server_urls = ${serverUrls ?? puppetDb.secureUrl}`, ...more, ''].join('\n');
}

export async function compileWithPuppet(
  puppetDb: SecurePuppetDb,
  cases: readonly TerminusCase[],
  setting: CompileSetting,
): Promise<readonly CompileOutcome[]> {
  const directory = mkdtempSync(join(tmpdir(), 'bunraku-terminus-'));
  const places = Object.fromEntries(
    ['confdir', 'vardir', 'logdir', 'rundir'].map((name) => [name, join(directory, name)]),
  );
  for (const place of Object.values(places)) mkdirSync(place);
  writeFileSync(join(directory, 'confdir', 'puppetdb.conf'), confOf(puppetDb, setting));
  const child = spawn(
    'ruby',
    ['--disable=error_highlight', '--disable=did_you_mean', new URL('compile.rb', import.meta.url).pathname],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { ...process.env, ...quickRuby(), LC_ALL: 'C.UTF-8' },
    },
  );
  const settings = { ...places, ssldir: puppetDb.sslDirectory, certname: serverCertname };
  child.stdin.end(JSON.stringify({ settings, storeconfigs: setting.storeconfigs, cases }));
  const output = await text(child.stdout);
  rmSync(directory, { recursive: true, force: true });
  return (JSON.parse(output) as readonly RealResult[]).map(outcomeOf);
}

interface RealResult {
  readonly catalog?: string;
  readonly error?: string;
  readonly logs: readonly (readonly [level: LogLevel, message: string])[];
}

/**
 * The line of its own source that Ruby's library for JSON begins its errors with in 2.6.1, which comes with Debian's Ruby,
 * and no longer in 2.6.3, which is a package of its own (`ruby-json`), nor in JRuby's.
 */
const parserLine = /\b\d+: (?=unexpected token at ')/;

function outcomeOf({ catalog, error, logs }: RealResult): CompileOutcome {
  return {
    catalog: catalog ?? JSON.stringify({ error: { message: error?.replace(parserLine, '') } }),
    logs: relevant(logs.map(([level, message]) => ({ level, message }))),
  };
}

export async function compileOurselves(
  puppetDb: SecurePuppetDb,
  cases: readonly TerminusCase[],
  setting: CompileSetting,
): Promise<readonly CompileOutcome[]> {
  const client = new FollowingClient(puppetDb.files, Date.now);
  const conf = parsePuppetDbConf(confOf(puppetDb, setting), 'puppetdb.conf');
  const { findResources, query } = new PuppetDbClient({ conf, client, log: silentLogger, nowMs: Date.now });
  const pool = new WorkerPool({
    workers: 1,
    workerUrl: builtWorker(new URL('../../../src/services/compiler/compile-worker.ts', import.meta.url)),
    timeoutMs: 60_000,
    maxQueued: 100,
    maxHeapMiB: 256,
    puppetDb: setting.storeconfigs ? { findResources, query } : { query },
    log: silentLogger,
  });
  const outcomes: CompileOutcome[] = [];
  try {
    for (const each of cases) outcomes.push(await compileOne(pool, each, setting));
  } finally {
    await pool.close();
    client.close();
  }
  return outcomes;
}

async function compileOne(
  pool: WorkerPool,
  { code, modules, node: certname }: TerminusCase,
  { storeconfigs }: CompileSetting,
): Promise<CompileOutcome> {
  const directory = mkdtempSync(join(tmpdir(), 'bunraku-environment-'));
  const source = {
    key: directory,
    physicalDirectory: directory,
    config: {
      name: 'production',
      directory,
      modulepath: modules === undefined ? [] : [modules],
      manifest: join(directory, 'manifests'),
      code,
      configVersion: 1,
      codeId: null,
      globalHieraConfig: join(directory, 'hiera.yaml'),
      settings: { ...defaultLanguageSettings, visible: { storeconfigs } },
    },
  } as const;
  const job = {
    certname,
    facts: {},
    trusted: { authenticated: 'remote', certname, extensions: {}, external: {} },
    serverFacts: {},
    node: { classes: {}, parameters: {} },
    format: 'rich_data_json',
  } as const;
  try {
    const { catalog, logs } = await pool.compile(source, job);
    return { catalog: Buffer.from(catalog).toString('utf8'), logs: relevant(logs) };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const logs = (error.details['logs'] ?? []) as Compiled['logs'];
    return { catalog: JSON.stringify({ error: { message: error.message } }), logs: relevant(logs) };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Those of the manifests: what servers say of their connections is their own. */
function relevant(logs: Compiled['logs']): readonly string[] {
  return logs
    .filter(({ level, message }) => level === 'warning' && !message.includes('server_urls'))
    .map(({ level, message }) => `${level}: ${message}`);
}

/** What is different, in sentences; empty when nothing is. */
export function compareOutcomes(real: CompileOutcome, ours: CompileOutcome): readonly string[] {
  const [expected, actual] = [real, ours].map(({ catalog }) => canonicalCatalog(parseExactJson(catalog), []));
  if (expected === undefined || actual === undefined) throw new Error('unreachable: two of two');
  const found = [...differences(expected, actual, new Set(['file']))];
  if (real.logs.join('\n') === ours.logs.join('\n')) return found;
  return [...found, `messages: expected ${JSON.stringify(real.logs)}, found ${JSON.stringify(ours.logs)}`];
}
