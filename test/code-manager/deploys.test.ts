/** Deploys under bad conditions, and their outcome. */

import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { serverItself } from '../../src/platform/changes/index.ts';
import { LocalForge } from './local-forge.ts';
import { TestRepository } from './repositories.ts';
import { type TestManagerOptions, testManager } from './test-manager.ts';
import { treeOf } from './tree.ts';

describe('A deploy', () => {
  let directory = '';
  let control: TestRepository;
  let module: TestRepository;
  const cleanUp: (() => unknown)[] = [];

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'bunraku-deploys-'));
    control = new TestRepository(join(directory, 'git', 'control'));
    module = new TestRepository(join(directory, 'git', 'module'));
    module.commit('master', { 'manifests/init.pp': 'class m {}\n' });
  });

  afterEach(async () => {
    for (const work of cleanUp.splice(0)) await work();
    rmSync(directory, { recursive: true, force: true });
  });

  const manager = (more = '', options: TestManagerOptions = {}) =>
    testManager(directory, `---\n${more}sources:\n  main:\n    remote: ${control.directory}\n`, options);
  const puppetfile = (text: string, branch = 'production') => control.commit(branch, { Puppetfile: text });
  const mod = (more = '', remote = module.directory) => `mod 'm', git: '${remote}'${more}\n`;

  test('of a Puppetfile that would write elsewhere is refused, and writes nothing there', async () => {
    const outside = join(directory, 'outside');
    mkdirSync(outside);
    writeFileSync(join(outside, 'precious'), '');
    const cases = {
      "mod '../../m', git: 'x'": 'must match either',
      "mod 'm', git: 'x', install_path: '../..'": 'outside of containing environment',
      [`mod 'm', git: 'x', install_path: '${outside}'`]: 'outside of containing environment',
      [`moduledir '${outside}'\nmod 'm', git: 'x'`]: 'outside of containing environment',
      "moduledir '../other'\nmod 'm', git: 'x'": 'outside of containing environment',
      "mod 'm', git: '--upload-pack=touch /tmp/bunraku-pwned'": 'is no git remote',
      "mod 'm', git: 'ext::sh -c touch% /tmp/bunraku-pwned'": 'helper of their own',
      "mod 'm', git: 'ssh://-oProxyCommand=touch%20%2Ftmp%2Fbunraku-pwned/x'": 'Unable to fetch',
      [mod(", ref: '--upload-pack=touch /tmp/bunraku-pwned'").trim()]: 'Could not resolve desired ref',
      [mod(", ref: 'master:manifests'").trim()]: 'Could not resolve desired ref',
    };
    const { deploy } = await manager();
    for (const [text, wanted] of Object.entries(cases)) {
      puppetfile(`${text}\n`);

      expect((await deploy('production'))['production'], text).toContain(wanted);
    }
    expect(readdirSync(outside)).toEqual(['precious']);
    expect(existsSync('/tmp/bunraku-pwned')).toBe(false);
  });

  test('asks the hosts of modules that follow branches while it asks for the environment, and none for pinned ones', async () => {
    const [marks, bin] = [join(directory, 'marks'), join(directory, 'bin')];
    for (const path of [marks, bin]) mkdirSync(path);
    const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
    // The control repository does not answer before the module has been asked, or for two minutes.
    writeFileSync(
      join(bin, 'git'),
      `#!/bin/sh
case " $* " in
*' ls-remote '*${control.directory}*|*' fetch '*${control.directory}*)
  tries=0
  while [ -e '${marks}/waits' ] && [ ! -e '${marks}/asked' ] && [ $tries -lt 1200 ]; do sleep 0.1; tries=$((tries + 1)); done
  [ $tries -lt 1200 ] || touch '${marks}/late' ;;
*' ls-remote '*${module.directory}*|*' fetch '*${module.directory}*) touch '${marks}/asked' ;;
esac
exec ${real} "$@"
`,
      { mode: 0o755 },
    );
    const path = `${bin}:${process.env['PATH']}`;
    const { deploy, staged } = await manager('', { environment: { PATH: path } });
    puppetfile(mod(", branch: 'master'"));
    const first = await deploy('production');
    rmSync(join(marks, 'asked'));
    writeFileSync(join(marks, 'waits'), '');
    module.commit('master', { 'manifests/init.pp': 'class m { }\n' });

    const followed = await deploy('production');

    const wanted = { production: 'complete' };
    expect([first, followed]).toEqual([wanted, wanted]);
    expect(existsSync(join(marks, 'late'))).toBe(false);
    expect(readFileSync(join(staged('production'), 'modules/m/manifests/init.pp'), 'utf8')).toBe(
      'class m { }\n',
    );

    rmSync(join(marks, 'waits'));
    puppetfile(mod(`, commit: '${module.git('rev-parse', 'HEAD')}'`));
    await deploy('production');
    rmSync(join(marks, 'asked'));
    await deploy('production');

    expect(existsSync(join(marks, 'asked'))).toBe(false);
  });

  test('does not follow links out of the environment', async () => {
    const outside = join(directory, 'outside');
    mkdirSync(join(outside, 'm'), { recursive: true });
    control.commit('production', { modules: { link: outside }, Puppetfile: mod() });
    control.commit('inner', { modules: null, 'modules/m': { link: join(outside, 'm') }, Puppetfile: mod() });
    const { deploy, staged } = await manager();

    const outcome = await deploy('production', 'inner');

    expect(outcome['production']).toContain('is really');
    expect(outcome['inner']).toBe('complete');
    expect(readdirSync(join(outside, 'm'))).toEqual([]);
    expect(existsSync(join(staged('inner'), 'modules/m/manifests/init.pp'))).toBe(true);
  });

  test('that fails for one environment does not hurt the others', async () => {
    const silent = createTcpServer(() => {});
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    cleanUp.push(() => silent.close());
    const { port } = silent.address() as AddressInfo;
    puppetfile(mod());
    puppetfile(mod('', `git://127.0.0.1:${port}/dead`), 'dead');
    puppetfile(mod('', 'https://127.0.0.1:1/refused'), 'refused');
    puppetfile('mod "unfinished', 'wrong');
    // The others have no longer for an answer.
    const { deploy, staged, storage } = await manager('', { idleTimeoutMs: 10_000 });

    const outcome = await deploy('dead', 'refused', 'wrong', 'production', 'nowhere');

    expect(outcome['production']).toBe('complete');
    expect(outcome['dead']).toContain('no answer for 10 s');
    expect(outcome['refused']).toContain('Unable to fetch https://127.0.0.1:1/refused');
    expect(outcome['wrong']).toMatch(/Failed to evaluate .*Puppetfile: .* \(line: 1\)/);
    expect(outcome['nowhere']).toContain("Environment(s) 'nowhere' cannot be found in any source");
    expect(existsSync(join(staged('production'), 'modules/m/manifests/init.pp'))).toBe(true);
    expect([...storage.commits.keys()]).toEqual(['production']);
  });

  test('that takes too long is ended, and so is one that a stop of the server meets', async () => {
    const silent = createTcpServer(() => {});
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    cleanUp.push(() => silent.close());
    puppetfile(mod('', `git://127.0.0.1:${(silent.address() as AddressInfo).port}/dead`));
    const patient = { idleTimeoutMs: 600_000 };
    const { deploy } = await manager('', { ...patient, deployTimeoutMs: 3000 });

    expect((await deploy('production'))['production']).toContain('ERROR\t -> Timed out after 3 seconds');

    const other = await manager('', { ...patient, deployTimeoutMs: 600_000 });
    const outcome = other.deploy('production');
    await expect.poll(() => other.manager.deploys()[0]?.status).toBe('deploying');
    await other.manager.stop();
    expect((await outcome)['production']).toContain('The server is shutting down');
  });

  test('never asks for a password, and shows none', async () => {
    const asking: Server = createServer((_request, response) => {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end();
    });
    await new Promise<void>((resolve) => asking.listen(0, '127.0.0.1', resolve));
    cleanUp.push(() => asking.close());
    const { port } = asking.address() as AddressInfo;
    puppetfile(mod('', `http://user:hunter2@127.0.0.1:${port}/private`));
    const { deploy } = await manager();

    const { production } = await deploy('production');

    expect(production).toContain(`Unable to fetch http://127.0.0.1:${port}/private`);
    expect(production).not.toContain('hunter2');
  });

  test('of an archive that is not what the forge says is refused, and the archive not kept', async () => {
    const forge = new LocalForge(join(directory, 'forge'));
    const url = await forge.start();
    cleanUp.push(() => forge.stop());
    forge.release('a-m', '1.0.0', { 'manifests/init.pp': '' });
    puppetfile("mod 'a/m', '1.0.0'\n");
    const { deploy } = await manager(`forge:\n  baseurl: ${url}\n`);
    forge.isCorrupt = true;

    expect((await deploy('production'))['production']).toContain('does not match its sha256 checksum');
    forge.isCorrupt = false;
    expect((await deploy('production'))['production']).toBe('complete');
  });

  test('brings modules from a directory of archives', async () => {
    const forge = new LocalForge(join(directory, 'forge'));
    forge.release('a-m', '1.0.0', { 'old.txt': '' });
    forge.release('a-m', '1.10.0', { 'new.txt': '' });
    forge.release('a-m', '2.0.0-rc1', { 'unfinished.txt': '' });
    const archive = forge.release('b-tar', '1.0.0', { 'tarball.txt': '' });
    puppetfile(`mod 'a/m', :latest\nmod 'b/tar', type: 'tarball', source: '${archive}'\n`);
    const { deploy, staged } = await manager(`forge:\n  baseurl: file://${join(directory, 'forge')}\n`);

    expect((await deploy('production'))['production']).toBe('complete');
    expect(readdirSync(join(staged('production'), 'modules/m'))).toEqual(['metadata.json', 'new.txt']);
    expect(existsSync(join(staged('production'), 'modules/tar/b-tar-1.0.0/tarball.txt'))).toBe(true);
  });

  test('that was killed in the middle is finished by the next one', async () => {
    control.commit('production', { 'a.txt': '1', 'dir/b.txt': '1' });
    const { deploy, staged } = await manager();
    await deploy('production');
    const killed = control.commit('production', { 'dir/b.txt': '2', 'only-then.txt': '2' });
    // As if the process had ended after writing some files of the next commit, with git's lock in place.
    const states = join(directory, 'code-manager', 'environments');
    const [state = ''] = readdirSync(states);
    execFileSync('git', ['-C', control.directory, 'branch', 'kept', killed]);
    writeFileSync(join(states, state, 'content.index.pending'), killed);
    writeFileSync(join(states, state, 'content.index.lock'), '');
    writeFileSync(join(staged('production'), 'only-then.txt'), '2');
    const last = control.commit('production', { 'only-then.txt': null, 'c.txt': '3' });

    expect((await deploy('production'))['production']).toBe('complete');

    const tree = Object.keys(treeOf(staged('production'))).filter((path) => path !== '.r10k-deploy.json');
    expect(tree).toEqual(['a.txt', 'c.txt', 'dir', 'dir/b.txt']);
    expect(readFileSync(join(staged('production'), '.r10k-deploy.json'), 'utf8')).toContain(last);
  });

  test('mends a cache that was damaged', async () => {
    puppetfile(mod());
    const { deploy, staged } = await manager();
    await deploy('production');
    const caches = join(directory, 'code-manager', 'cache', 'git');
    const objects = readdirSync(caches, { recursive: true, withFileTypes: true }).filter(
      (entry) => entry.isFile() && entry.parentPath.includes('/objects/'),
    );
    expect(objects.length).toBeGreaterThan(5);
    for (const { name, parentPath } of objects) truncateSync(join(parentPath, name), 5);
    rmSync(staged('production'), { recursive: true });

    const first = await deploy('production');
    const second = await deploy('production');

    expect([first['production'], second['production']]).toEqual(['complete', 'complete']);
    expect(existsSync(join(staged('production'), 'modules/m/manifests/init.pp'))).toBe(true);
  });

  test('of pinned modules asks their hosts for nothing', async () => {
    const commit = module.git('rev-parse', 'HEAD');
    module.tag('v1');
    puppetfile(`${mod(`, commit: '${commit}'`)}mod 'n', git: '${module.directory}', tag: 'v1'\n`);
    const { deploy } = await manager();
    expect((await deploy('production'))['production']).toBe('complete');
    rmSync(module.directory, { recursive: true });
    control.commit('production', { 'more.txt': '' });

    expect((await deploy('production'))['production']).toBe('complete');
  });

  test('notices whatever changes on a host, also after deploys for which nothing had changed', async () => {
    module.git('tag', '--annotate', '--message', 'one', 'v1');
    puppetfile(
      `${mod(", branch: 'work', default_branch: 'master'")}mod 'n', git: '${module.directory}', ref: 'v1'\n`,
    );
    const { deploy, staged } = await manager();
    const brought = async () => {
      // The first one may bring news, after which the next one finds none.
      for (let count = 0; count < 3; count += 1)
        expect((await deploy('production'))['production']).toBe('complete');
      return ['m', 'n'].map((name) =>
        existsSync(join(staged('production'), 'modules', name, 'state'))
          ? readFileSync(join(staged('production'), 'modules', name, 'state'), 'utf8')
          : 'none',
      );
    };

    expect(await brought()).toEqual(['none', 'none']);
    module.commit('master', { state: 'new commit' });
    expect(await brought()).toEqual(['new commit', 'none']);
    module.commit('work', { state: 'new branch' });
    expect(await brought()).toEqual(['new branch', 'none']);
    module.git('update-ref', 'refs/heads/work', 'master');
    expect(await brought()).toEqual(['new commit', 'none']);
    module.git('reset', '--quiet', '--hard');
    module.commit('master', { state: 'without branch' });
    module.git('update-ref', '-d', 'refs/heads/work');
    expect(await brought()).toEqual(['without branch', 'none']);
  });

  test('brings commits of merge requests, which no branch has', async () => {
    const commit = module.commit('master', { 'merge-request.txt': '' });
    module.git('update-ref', 'refs/merge-requests/7/head', commit);
    module.git('reset', '--quiet', '--hard', 'HEAD^');
    puppetfile(
      `${mod(`, ref: '${commit}'`)}mod 'n', git: '${module.directory}', ref: 'refs/merge-requests/7/head'\n`,
    );
    const { deploy, staged } = await manager();

    expect((await deploy('production'))['production']).toBe('complete');
    for (const name of ['m', 'n'])
      expect(existsSync(join(staged('production'), 'modules', name, 'merge-request.txt'))).toBe(true);
  });

  test('follows one that waits already instead of queueing behind it', async () => {
    puppetfile(mod());
    const { manager: code } = await manager();
    const terms = {
      author: serverItself,
      deploysModules: true,
      modules: [],
      isValidated: false,
      validatedNodes: [],
    };

    const all = Array.from({ length: 20 }, () => code.deploy({ environments: ['production'], ...terms }));
    const ended = await Promise.all(all.map(({ ended: end }) => end));

    expect(new Set(ended.flat().map(({ id }) => id)).size).toBeLessThanOrEqual(2);
    expect(ended.flat().every(({ status }) => status === 'complete')).toBe(true);
  });

  test('is refused while the write lock is set', async () => {
    puppetfile('');
    const { deploy } = await manager('deploy:\n  write_lock: maintenance\n');

    await expect(deploy('production')).rejects.toThrow(
      'Making changes to deployed environments has been administratively disabled.\nReason: maintenance',
    );
  });

  test('that is not fit to be served leaves what is served staged', async () => {
    control.commit('production', { 'site.pp': 'good' });
    const check = {
      check: () =>
        Promise.resolve(
          readFileSync(join(staging(), 'site.pp'), 'utf8') === 'good' ? [] : ['site.pp is not good'],
        ),
    };
    const { manager: code, staged, storage } = await manager('', { check });
    const staging = () => staged('production');
    const request = {
      author: serverItself,
      environments: ['production'],
      deploysModules: true,
      modules: [],
      isValidated: true,
      validatedNodes: [],
    };
    await code.deploy(request).ended;
    control.commit('production', { 'site.pp': 'bad' });

    const [deploy] = await code.deploy(request).ended;

    expect(deploy).toMatchObject({
      status: 'failed',
      error: { kind: 'puppetlabs.code-manager/validation-failure' },
    });
    expect(deploy?.error?.message).toContain('ERROR\t -> site.pp is not good');
    expect(readFileSync(join(staged('production'), 'site.pp'), 'utf8')).toBe('good');
    expect(storage.history('production')).toHaveLength(1);
    control.commit('production', { 'site.pp': 'good', 'more.txt': '' });
    expect((await code.deploy(request).ended)[0]?.status).toBe('complete');
    expect(existsSync(join(staged('production'), 'more.txt'))).toBe(true);
  });

  test('can be taken back, to the one before or to any that is kept', async () => {
    const signatures = ['1', '2', '3'].map((number) => ({ number, files: { 'site.pp': number } }));
    const { deploy, manager: code, recorded, staged } = await manager();
    const commits: string[] = [];
    for (const { files } of signatures) {
      commits.push(control.commit('production', files));
      await deploy('production');
    }
    const signal = new AbortController().signal;
    const content = () => readFileSync(join(staged('production'), 'site.pp'), 'utf8');

    expect((await code.rollBack('production', undefined, serverItself, signal)).signature).toBe(commits[1]);
    expect(content()).toBe('2');
    await code.rollBack('production', commits[0]?.slice(0, 8), serverItself, signal);
    expect(content()).toBe('1');
    await expect(code.rollBack('production', 'abcd1234', serverItself, signal)).rejects.toThrow(
      'There is no version abcd1234',
    );
    await expect(code.rollBack('production', undefined, serverItself, signal)).rejects.toThrow(
      'There is no earlier version',
    );
    await expect(code.rollBack('nothing', undefined, serverItself, signal)).rejects.toThrow(
      "There is no environment 'nothing'",
    );
    expect(recorded.map(({ events: [event] }) => event?.message).slice(-3)).toEqual([
      `Deployed the environment production at ${commits[2]}`,
      expect.stringMatching(/^Rolled the environment production back to the commit \w+$/),
      expect.stringMatching(/^Rolled the environment production back to the commit \w+$/),
    ]);
    await deploy('production');
    expect(content()).toBe('3');
  });

  test('removes environments whose branches are gone, but not when a source could not be asked', async () => {
    puppetfile('');
    control.commit('feature', {});
    const { deploy, staged, storage } = await manager();
    await deploy('production', 'feature');
    control.git('checkout', '--quiet', 'production');
    control.git('branch', '-D', 'feature');
    const hidden = `${control.directory}-away`;
    execFileSync('mv', [control.directory, hidden]);

    expect((await deploy('production'))['production']).toContain(
      'Unable to determine current branches for Git source',
    );
    expect(existsSync(staged('feature'))).toBe(true);

    execFileSync('mv', [hidden, control.directory]);
    expect((await deploy('feature'))['feature']).toBe('complete');
    expect(existsSync(staged('feature'))).toBe(false);
    expect(storage.removed).toEqual(['feature']);
  });

  test('keeps an environment that came to its source a moment after the source was asked for another', async () => {
    puppetfile('');
    const asked = join(directory, 'asked');
    const goOn = join(directory, 'go-on');
    // The first request waits; later ones do not.
    const script = `test -e ${asked} || { touch ${asked}; until test -e ${goOn}; do sleep 0.05; done; }`;
    const { deploy, staged, storage } = await testManager(
      directory,
      `---\nsources:\n  main:\n    remote: ${control.directory}\n    filter_command: '${script}'\n`,
    );
    const production = deploy('production');
    await expect.poll(() => existsSync(asked)).toBe(true);
    control.commit('feature', { 'new.txt': '' });

    expect(await deploy('feature')).toEqual({ feature: 'complete' });
    writeFileSync(goOn, '');

    expect(await production).toEqual({ production: 'complete' });
    expect(existsSync(join(staged('feature'), 'new.txt'))).toBe(true);
    expect(storage.removed).toEqual([]);
  });

  test('holds what it changes from the commits of others, until it is whole again', async () => {
    const held: boolean[] = [];
    const check = {
      check: ({ environment }: { readonly environment: string }) => {
        held.push(first.storage.held.has(environment));
        return Promise.resolve([]);
      },
    };
    puppetfile('');
    const first = await manager('', { check });
    const request = {
      author: serverItself,
      environments: ['production'],
      deploysModules: true,
      modules: [],
      validatedNodes: [],
    };

    await first.manager.deploy({ ...request, isValidated: true }).ended;

    expect(held).toEqual([true]);
    expect([...first.storage.held]).toEqual([]);
    puppetfile(mod('', join(directory, 'nowhere')));
    await first.deploy('production');
    expect([...first.storage.held]).toEqual(['production']);
    // Another process knows of it, too.
    const second = await manager();
    expect([...second.storage.held]).toEqual(['production']);
    puppetfile(mod());
    expect(await second.deploy('production')).toEqual({ production: 'complete' });
    expect([...second.storage.held]).toEqual([]);
    expect([...(await manager()).storage.held]).toEqual([]);
  });

  test('of branches that want one name is refused for these only', async () => {
    puppetfile('');
    control.commit('feature/a', {});
    control.commit('feature-a', {});
    const { deploy } = await manager();

    const outcome = await deploy('production', 'feature_a');

    expect(outcome['production']).toBe('complete');
    expect(outcome['feature_a']).toContain('Environment collision');
  });

  test('brings only the modules that are asked for', async () => {
    const other = new TestRepository(join(directory, 'git', 'other'));
    other.commit('master', { 'x.txt': '1' });
    puppetfile(`${mod()}mod 'other', git: '${other.directory}'\n`);
    const { manager: code, staged } = await manager();
    const terms = {
      author: serverItself,
      environments: ['production'],
      isValidated: false,
      validatedNodes: [],
    };
    await code.deploy({ ...terms, deploysModules: false, modules: [] }).ended;
    module.commit('master', { 'new.txt': '' });
    other.commit('master', { 'x.txt': '2' });

    await code.deploy({ ...terms, deploysModules: true, modules: ['m'] }).ended;

    expect(existsSync(join(staged('production'), 'modules/m/new.txt'))).toBe(true);
    expect(readFileSync(join(staged('production'), 'modules/other/x.txt'), 'utf8')).toBe('1');
    await code.deploy({ ...terms, deploysModules: false, modules: [] }).ended;
    expect(readFileSync(join(staged('production'), 'modules/other/x.txt'), 'utf8')).toBe('1');
    await code.deploy({ ...terms, deploysModules: true, modules: [] }).ended;
    expect(readFileSync(join(staged('production'), 'modules/other/x.txt'), 'utf8')).toBe('2');
    expect(JSON.parse(readFileSync(join(staged('production'), '.r10k-deploy.json'), 'utf8'))).toMatchObject({
      module_deploys: [{ name: 'm' }, { name: 'other' }],
    });
  });

  test('follows lists of environments in files, with modules of their own', async () => {
    puppetfile(mod());
    const file = join(directory, 'environments.yaml');
    writeFileSync(
      file,
      `---\none:\n  type: git\n  source: ${control.directory}\n  version: production\n  modules:\n    acme-own:\n      git: ${module.directory}\n      ref: master\ntwo:\n  type: plain\n  modules:\n    own:\n      type: git\n      source: ${module.directory}\n      version: master\n`,
    );
    const code = await testManager(
      directory,
      `---\nsources:\n  list:\n    type: yaml\n    config: ${file}\n`,
    );

    expect(await code.deploy('one', 'two')).toEqual({ one: 'complete', two: 'complete' });
    expect(readdirSync(join(code.staged('one'), 'modules')).sort()).toEqual(['m', 'own']);
    expect(readdirSync(code.staged('two')).sort()).toEqual(['.r10k-deploy.json', 'modules']);
  });

  test('is not for branches that are filtered out', async () => {
    for (const branch of ['production', 'wip-x', 'unsigned']) puppetfile('', branch);
    const { manager: code } = await testManager(
      directory,
      `---\nsources:\n  main:\n    remote: ${control.directory}\n    ignore_branch_prefixes: [wip]\n    filter_command: 'test "$R10K_BRANCH" != unsigned && git rev-parse --verify --quiet "$R10K_BRANCH" > /dev/null && test $R10K_NAME = main'\n`,
    );

    const { environments } = await code.list(new AbortController().signal);

    expect(environments.map(({ name }) => name)).toEqual(['production']);
  });

  test('uses a changed configuration once those that have begun have ended', async () => {
    puppetfile('');
    const { deploy, manager: code, reconfigure, staged } = await manager();
    const before = deploy('production');
    await expect.poll(() => code.deploys()[0]?.status).toBe('deploying');
    reconfigure(`---\nsources:\n  main:\n    remote: ${control.directory}\n    prefix: true\n`);

    expect(await before).toEqual({ production: 'complete' });
    expect(await deploy('main_production')).toEqual({ main_production: 'complete' });
    expect(existsSync(staged('production'))).toBe(false);
  });

  test('runs the command after it without a shell', async () => {
    puppetfile('');
    const { deploy } = await manager(
      `postrun: ['/bin/sh', '-c', 'echo "$0" > ${directory}/postrun', '$modifiedenvs; x']\n`,
    );

    await deploy('production');

    expect(readFileSync(join(directory, 'postrun'), 'utf8')).toBe('production; x\n');
  });

  test('replaces what somebody had put there by hand', async () => {
    puppetfile('');
    const { deploy, staged } = await manager();
    mkdirSync(staged('production'), { recursive: true });
    writeFileSync(join(staged('production'), 'by-hand.txt'), '');
    symlinkSync('/tmp', join(staged('production'), 'modules'));

    expect((await deploy('production'))['production']).toBe('complete');
    expect(readdirSync(staged('production')).sort()).toEqual(['.r10k-deploy.json', 'Puppetfile']);
  });

  test('keeps an environment that no source has and nodes use, says so, and removes it only when told', async () => {
    puppetfile('');
    const users = new Map([['staged_by_hand', '2 nodes (a, b)']]);
    const test = await manager('', { findUsers: (environment) => users.get(environment) });
    for (const name of ['staged_by_hand', 'unused']) mkdirSync(test.staged(name), { recursive: true });
    const terms = {
      author: serverItself,
      deploysModules: true,
      modules: [],
      isValidated: false,
      validatedNodes: [],
    };
    const run = (environment: string, purgesUsed: boolean) =>
      test.manager.deploy({ environments: [environment], ...terms, purgesUsed }).ended;

    const [other] = await run('production', true);
    const [own] = await run('staged_by_hand', false);

    expect(other).toMatchObject({ status: 'complete' });
    expect(other?.warnings?.join()).toMatch(/'staged_by_hand'.* in use: 2 nodes \(a, b\).*--purge-in-use/);
    expect(own).toMatchObject({ status: 'failed' });
    expect(own?.error?.message).toContain('2 nodes (a, b)');
    expect(readdirSync(join(test.staging, 'environments')).sort()).toEqual(['production', 'staged_by_hand']);

    const [told] = await run('staged_by_hand', true);
    expect(told).toMatchObject({ status: 'complete' });
    expect(existsSync(test.staged('staged_by_hand'))).toBe(false);
  });

  test('that removed an environment is undone by a rollback', async () => {
    puppetfile('');
    puppetfile('# the other branch\n', 'testing');
    const { deploy, manager: codeManager, staged } = await manager();
    await deploy('testing');
    control.git('checkout', '--quiet', 'production');
    control.git('branch', '--quiet', '-D', 'testing');
    expect(await deploy('testing')).toEqual({ testing: 'complete' });
    expect(existsSync(staged('testing'))).toBe(false);

    await codeManager.rollBack('testing', undefined, serverItself, new AbortController().signal);

    expect(readFileSync(join(staged('testing'), 'Puppetfile'), 'utf8')).toContain('the other branch');
  });
});
