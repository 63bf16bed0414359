/**
 * `npm run bench -- code-manager [SERVERS [DEPLOYS]]`: a control repository with 30 modules, each a git repository that a
 * git daemon serves; one file of one module is changed, and the environment deployed. Measured from the request until all
 * compile servers serve it, and what went over the wires: from the git daemon, and from the primary to the compile servers.
 * The same with the real r10k, until its trees are written.
 */

import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Installation } from '../../demo/installation.ts';
import { freePort } from '../../demo/ports.ts';
import { promise, quantile, spread } from '../figures.ts';
import { CountingProxy } from './counting-proxy.ts';

const installed = '/usr/share/puppet/modules.available';
const wanted = 30;
const project = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

export async function measureCodeManager(servers = 2, deploys = 20): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'bunraku-bench-'));
  const gitPort = await freePort();
  const repositories = join(directory, 'git');
  const names = createModules(repositories);
  const daemon = startDaemon(repositories, gitPort);
  const gitProxy = new CountingProxy(gitPort);
  const base = `git://127.0.0.1:${await gitProxy.start()}`;
  const installations: Installation[] = [];
  const syncProxies: CountingProxy[] = [];
  try {
    const codePort = await freePort();
    const ports = { primary: await freePort(), compileServers: [], balancer: await freePort() };
    const compileServers = await Promise.all(Array.from({ length: servers }, () => freePort()));
    const options = {
      directory,
      project,
      node: process.execPath,
      controlRepository: join(project, 'examples', 'control-repo'),
      autosign: [],
      settings: { compile_workers: 1, code_manager_port: codePort },
    };
    const primary = new Installation({ ...options, ports });
    const syncProxy = new CountingProxy(ports.primary);
    syncProxies.push(syncProxy);
    const followers = new Installation({
      ...options,
      ports: { ...ports, primary: await syncProxy.start(), compileServers },
    });
    installations.push(followers, primary);
    mkdirSync(primary.primaryDirectory, { recursive: true });
    writeFileSync(
      join(primary.primaryDirectory, 'r10k.yaml'),
      configuration(base, '/etc/puppetlabs/code/environments'),
    );
    await primary.startPrimary();
    for (const index of compileServers.keys()) await followers.startCompileServer(index);

    const bench: Bench = {
      base,
      names,
      repositories,
      codePort,
      primary,
      gitProxy,
      syncProxy,
      deploys,
      servers,
    };
    const files = execFileSync('find', [repositories, '-type', 'f', '-not', '-path', '*/.git/*'])
      .toString()
      .split('\n');
    console.log(
      `${names.length} modules with ${files.length} files, ${servers} compile servers, ${deploys} deploys each`,
    );
    await measureFirst(bench);
    await measureChanges(
      'every module follows a branch',
      bench,
      (name) => `git: '${base}/${name}', branch: 'master'`,
    );
    await measureChanges('every module pinned to a commit, one changed', bench, (name) => {
      const commit = execFileSync('git', ['-C', join(repositories, name), 'rev-parse', 'HEAD'])
        .toString()
        .trim();
      return `git: '${base}/${name}', commit: '${commit}'`;
    });
    measureR10k(bench, directory);
  } finally {
    for (const installation of installations) await installation.stop();
    for (const proxy of [gitProxy, ...syncProxies]) proxy.stop();
    daemon.kill();
    rmSync(directory, { recursive: true, force: true });
  }
}

interface Bench {
  readonly base: string;
  readonly names: readonly string[];
  readonly repositories: string;
  readonly codePort: number;
  readonly primary: Installation;
  readonly gitProxy: CountingProxy;
  readonly syncProxy: CountingProxy;
  readonly deploys: number;
  readonly servers: number;
}

function configuration(base: string, basedir: string, cachedir?: string): string {
  const cache = cachedir === undefined ? '' : `cachedir: ${cachedir}\n`;
  return `---\n${cache}sources:\n  main:\n    remote: ${base}/control\n    basedir: ${basedir}\n`;
}

/** Real modules, as many as are installed, and copies of them up to the number that is wanted. */
function createModules(repositories: string): readonly string[] {
  const real = existsSync(installed) ? readdirSync(installed) : [];
  if (real.length === 0) throw new Error(`there are no modules in ${installed}: install puppet-module-*`);
  return Array.from({ length: wanted }, (_, index) => {
    const name = `mod${index}`;
    const directory = join(repositories, name);
    mkdirSync(directory, { recursive: true });
    cpSync(join(installed, real[index % real.length] ?? ''), directory, {
      recursive: true,
      dereference: true,
    });
    git(directory, 'init', '--quiet', '--initial-branch=master');
    commit(directory);
    return name;
  });
}

function startDaemon(repositories: string, port: number): ChildProcess {
  const args = [
    'daemon',
    '--export-all',
    '--reuseaddr',
    '--listen=127.0.0.1',
    `--port=${port}`,
    `--base-path=${repositories}`,
  ];
  return spawn('git', [...args, repositories], { stdio: 'ignore' });
}

async function measureFirst(bench: Bench): Promise<void> {
  writePuppetfile(bench, (name) => `git: '${bench.base}/${name}', branch: 'master'`);
  bench.gitProxy.reset();
  bench.syncProxy.reset();
  const ms = await deploy(bench);
  console.log(
    `first deploy: ${Math.round(ms)} ms, ${kB(bench.gitProxy.total)} from git hosts, ${kB(bench.syncProxy.received)} to all compile servers`,
  );
}

async function measureChanges(
  title: string,
  bench: Bench,
  moduleArguments: (name: string) => string,
): Promise<void> {
  const times: number[] = [];
  const fromGit: number[] = [];
  const toServers: number[] = [];
  for (let round = 0; round <= bench.deploys; round += 1) {
    change(bench, round);
    writePuppetfile(bench, moduleArguments);
    bench.gitProxy.reset();
    bench.syncProxy.reset();
    const ms = await deploy(bench);
    // The first one changes all of the Puppetfile.
    if (round === 0) continue;
    times.push(ms);
    fromGit.push(bench.gitProxy.total);
    toServers.push(bench.syncProxy.received / bench.servers);
  }
  console.log(`one file of one module changed, ${title}:`);
  console.log(`  request to served by all: ${spread(times)}`);
  console.log(`  from git hosts:           p50 ${kB(quantile(fromGit, 0.5))}`);
  console.log(`  to each compile server:   p50 ${kB(quantile(toServers, 0.5))}`);
  promise('served by all within a second', quantile(times, 0.5) < 1000);
}

function measureR10k(bench: Bench, directory: string): void {
  if (spawnSync('r10k', ['version']).status !== 0) return console.log('r10k is not here to compare with');
  const file = join(directory, 'r10k.yaml');
  writeFileSync(
    file,
    configuration(
      bench.base.replace(/^git:.*/, join(bench.repositories)),
      join(directory, 'r10k'),
      join(directory, 'r10k-cache'),
    ),
  );
  writePuppetfile(bench, (name) => `git: '${join(bench.repositories, name)}', branch: 'master'`);
  const times: number[] = [];
  for (let round = 0; round <= 5; round += 1) {
    change(bench, round + 1000);
    const began = performance.now();
    const { status, stderr } = spawnSync(
      'r10k',
      ['deploy', 'environment', 'production', '--modules', '--config', file],
      {
        encoding: 'utf8',
        env: { ...process.env, HOME: directory },
      },
    );
    if (status !== 0) throw new Error(stderr);
    if (round > 0) times.push(performance.now() - began);
  }
  console.log(
    `r10k for the same change, from repositories on disk, only to its trees: p50 ${Math.round(quantile(times, 0.5))} ms`,
  );
}

/** One line of one file. */
function change({ names, repositories }: Bench, round: number): void {
  const directory = join(repositories, names[round % names.length] ?? '');
  writeFileSync(join(directory, 'CHANGED.md'), `round ${round}\n`);
  commit(directory);
}

function writePuppetfile({ names, repositories }: Bench, moduleArguments: (name: string) => string): void {
  const directory = join(repositories, 'control');
  if (!existsSync(directory)) {
    mkdirSync(join(directory, 'manifests'), { recursive: true });
    git(directory, 'init', '--quiet', '--initial-branch=production');
    writeFileSync(join(directory, 'manifests', 'site.pp'), 'node default {}\n');
  }
  writeFileSync(
    join(directory, 'Puppetfile'),
    names.map((name) => `mod '${name}', ${moduleArguments(name)}\n`).join(''),
  );
  commit(directory);
}

async function deploy({ codePort, primary }: Bench): Promise<number> {
  const operator = primary.operator();
  const began = performance.now();
  try {
    const { body } = await operator.send({
      method: 'POST',
      url: `https://localhost:${codePort}/code-manager/v1/deploys`,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ environments: ['production'], wait: true }),
      timeoutMs: 300_000,
    });
    const [result] = JSON.parse(body.toString()) as readonly { status?: string }[];
    if (result?.status !== 'complete') throw new Error(body.toString());
    return performance.now() - began;
  } finally {
    operator.close();
  }
}

function commit(directory: string): void {
  git(directory, 'add', '--all');
  git(directory, 'commit', '--quiet', '--allow-empty', '--message', 'change');
}

function git(directory: string, ...args: readonly string[]): void {
  const identity = ['-c', 'user.name=bench', '-c', 'user.email=bench@example.com', '-c', 'gc.auto=0'];
  execFileSync('git', ['-C', directory, ...identity, ...args]);
}

function kB(bytes: number): string {
  return `${(bytes / 1000).toFixed(bytes < 10_000 ? 1 : 0)} kB`;
}
