/** Where the files of worker threads and of the process that starts others are: beside the bundle, or among the sources. */

import { fileURLToPath } from 'node:url';
import type { ProgramSource } from '../services/server-program/index.ts';

const sources = {
  'answers-worker': './orchestration/answers-worker.ts',
  'broker-worker': '../services/broker/thread/broker-worker.ts',
  'class-worker': '../services/classifier/classes/class-worker.ts',
  'code-syntax-worker': '../services/code-manager/check/syntax-worker.ts',
  'facts-worker': './agents/facts-worker.ts',
  'health-worker': '../services/status/health-worker.ts',
  'compile-worker': '../services/compiler/compile-worker.ts',
  'launcher-worker': '../platform/processes/launcher-worker.ts',
  'plan-worker': './plans/plan-worker.ts',
  'puppetfile-worker': '../services/code-manager/puppetfile/puppetfile-worker.ts',
  'puppetdb-worker': '../services/puppetdb/threads/puppetdb-worker.ts',
  'report-worker': './agents/report-worker.ts',
  'saml-worker': '../platform/saml/saml-worker.ts',
  'signer-worker': '../services/ca/signer/signer-worker.ts',
  'sqlite-worker': '../platform/storage/sqlite-worker.ts',
} as const;

/** The only place, with what is below, that knows whether the program runs from a bundle. */
const isBundle = import.meta.url.endsWith('.js');

/** The Puppet modules that come with the program. */
export function ownModulesDirectory(): string {
  return fileURLToPath(new URL(isBundle ? './modules' : '../../modules', import.meta.url));
}

/** The pages of the console, which are there when the program has been built. */
export function consoleDirectory(): string {
  return fileURLToPath(new URL(isBundle ? './console' : '../../dist/console', import.meta.url));
}

/** The PXP agent that machines get. */
export function pxpAgentDirectory(): string {
  const path = isBundle ? './modules/puppet_enterprise/files/pxp-agent' : '../../agent';
  return fileURLToPath(new URL(path, import.meta.url));
}

/** What compile servers get of the program; `undefined` where it runs from its sources. */
export function programSource(): ProgramSource | undefined {
  if (!isBundle) return undefined;
  const [dist, launcher] = ['.', './launcher'].map((path) => fileURLToPath(new URL(path, import.meta.url)));
  return { dist: dist ?? '', launcher: launcher ?? '', node: process.execPath };
}

export function workerFile(name: keyof typeof sources): URL {
  return new URL(isBundle ? `./${name}.js` : sources[name], import.meta.url);
}
