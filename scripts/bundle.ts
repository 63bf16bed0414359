/**
 * Bundles the program and its worker threads into `dist/`.
 *
 * Bundles rather than one file for each module: loading hundreds of small modules is what a start would
 * spend most of its time with, in the main thread and again in every worker.
 */

import { createHash } from 'node:crypto';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { buildConsole, consoleSources } from './bundle-console.ts';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const outputDirectory = join(root, 'dist');

/** Entry points: the program, one file for each kind of worker thread, and the process that starts others. */
const entries = {
  main: 'src/main.ts',
  'answers-worker': 'src/server/orchestration/answers-worker.ts',
  'compile-worker': 'src/services/compiler/compile-worker.ts',
  'broker-worker': 'src/services/broker/thread/broker-worker.ts',
  'class-worker': 'src/services/classifier/classes/class-worker.ts',
  'code-syntax-worker': 'src/services/code-manager/check/syntax-worker.ts',
  'health-worker': 'src/services/status/health-worker.ts',
  'launcher-worker': 'src/platform/processes/launcher-worker.ts',
  'plan-worker': 'src/server/plans/plan-worker.ts',
  'puppetfile-worker': 'src/services/code-manager/puppetfile/puppetfile-worker.ts',
  'puppetdb-worker': 'src/services/puppetdb/threads/puppetdb-worker.ts',
  'facts-worker': 'src/server/agents/facts-worker.ts',
  'report-worker': 'src/server/agents/report-worker.ts',
  'saml-worker': 'src/platform/saml/saml-worker.ts',
  'signer-worker': 'src/services/ca/signer/signer-worker.ts',
  'sqlite-worker': 'src/platform/storage/sqlite-worker.ts',
  'wasm-image-worker': 'src/platform/ruby/wasm/wasm-image-worker.ts',
  'wasm-ruby-worker': 'src/platform/ruby/wasm/wasm-ruby-worker.ts',
  // Loaded when the first Ruby file is read, not with the worker.
  prism: 'node_modules/@ruby/prism/src/parsePrism.js',
};

/** What the bundles are made of, and how. */
const sources = [
  'src',
  'agent',
  'bin',
  'modules',
  'packaging',
  'package.json',
  'package-lock.json',
  'scripts/bundle.ts',
];

interface Part {
  readonly stamp: string;
  readonly paths: readonly string[];
  readonly make: () => Promise<void> | void;
}

/** The parts of `dist/`, each with what it is made of. */
const parts: readonly Part[] = [
  { stamp: '.sources', paths: sources, make: buildProgram },
  { stamp: '.console-sources', paths: consoleSources, make: buildConsole },
];

/** Builds the program and the console, each when its sources have changed since it was built. */
export async function buildIfChanged(): Promise<void> {
  for (const { make, paths, stamp } of parts) {
    const path = join(outputDirectory, stamp);
    const digest = digestOf(paths);
    if (existsSync(path) && readFileSync(path, 'utf8') === digest) continue;
    await make();
    writeFileSync(path, digest);
  }
}

export async function build(): Promise<void> {
  rmSync(outputDirectory, { recursive: true, force: true });
  await buildIfChanged();
}

async function buildProgram(): Promise<void> {
  removeProgram();
  mkdirSync(outputDirectory, { recursive: true });
  const bundle = await rolldown({
    cwd: root,
    input: entries,
    platform: 'node',
    external: [/^node:/],
    logLevel: 'warn',
  });
  await bundle.write({ dir: outputDirectory, format: 'esm', sourcemap: true, entryFileNames: '[name].js' });
  await bundle.close();
  cpSync(join(root, 'src/platform/ruby/shim'), join(outputDirectory, 'ruby-shim'), { recursive: true });
  cpSync(join(root, 'src/services/packages/scripts'), join(outputDirectory, 'install-scripts'), {
    recursive: true,
  });
  cpSync(join(root, 'packaging/platforms'), join(outputDirectory, 'platforms'), { recursive: true });
  cpSync(join(root, 'modules'), join(outputDirectory, 'modules'), { recursive: true });
  // A file of a module, so that nodes can be given it by their catalog.
  cpSync(join(root, 'agent'), join(outputDirectory, 'modules/puppet_enterprise/files/pxp-agent'), {
    recursive: true,
  });
  // What the program needs besides, where a Puppet run makes a compile server.
  const service = join(outputDirectory, 'modules/puppet_enterprise/files/compile-server');
  cpSync(join(root, 'packaging/compile-server'), service, { recursive: true });
  const unit = 'bunraku-compile-server.service';
  copyFileSync(join(root, 'packaging/systemd', unit), join(service, unit));
  copyFileSync(join(root, 'bin/bunraku'), join(outputDirectory, 'launcher'));
  // Goes with the program: it says the version.
  copyFileSync(join(root, 'package.json'), join(outputDirectory, 'package.json'));
  copyFileSync(join(root, 'node_modules/@ruby/prism/src/prism.wasm'), join(outputDirectory, 'prism.wasm'));
  const ruby = 'node_modules/@ruby/4.0-wasm-wasi/dist/ruby+stdlib.wasm';
  copyFileSync(join(root, ruby), join(outputDirectory, 'ruby.wasm'));
}

/** All but the console, which is built by itself. */
function removeProgram(): void {
  if (!existsSync(outputDirectory)) return;
  const others = readdirSync(outputDirectory).filter(
    (name) => !['console', '.console-sources'].includes(name),
  );
  for (const name of others) rmSync(join(outputDirectory, name), { recursive: true, force: true });
}

/** @param paths - of files and directories below the root */
function digestOf(paths: readonly string[]): string {
  const hash = createHash('sha256');
  for (const path of paths.flatMap((each) => filesBelow(each)))
    hash
      .update(path)
      .update('\0')
      .update(readFileSync(join(root, path)))
      .update('\0');
  return hash.digest('hex');
}

function filesBelow(path: string): string[] {
  if (statSync(join(root, path)).isFile()) return [path];
  const names = readdirSync(join(root, path), { recursive: true, encoding: 'utf8' }).sort();
  return names.map((name) => join(path, name)).filter((each) => statSync(join(root, each)).isFile());
}
