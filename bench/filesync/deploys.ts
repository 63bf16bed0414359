/**
 * `npm run bench -- filesync [SERVERS [DEPLOYS]]`: from the commit of a change in the staging directory until ten compile
 * servers serve it, each a process of its own on this machine.
 *
 * What is measured ends when the last compile server has told the primary that it serves the commit; then every server is
 * asked for a catalog, which must be of that version.
 */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Installation } from '../../demo/installation.ts';
import { freePort } from '../../demo/ports.ts';
import type { HttpClient } from '../../src/platform/http-client/index.ts';
import { fetchCatalog, notifications } from '../../test/e2e/support/catalog-request.ts';
import { stageAnew, stageVersion, versionedFiles } from '../../test/support/versioned-environment.ts';
import { promise, quantile, spread } from '../figures.ts';

const size = { modules: 30, ballast: 10 };
const certname = 'primary.bunraku.test';
const project = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

interface Answer {
  readonly timing: { readonly committed_ms: number; readonly live_ms: number };
  readonly clients: readonly { readonly is_current: boolean }[];
}

export async function measureFileSync(servers = 10, deploys = 50): Promise<void> {
  const installation = new Installation({
    directory: mkdtempSync(join(tmpdir(), 'bunraku-bench-')),
    project,
    node: process.execPath,
    ports: {
      primary: await freePort(),
      compileServers: await Promise.all(Array.from({ length: servers }, () => freePort())),
      balancer: await freePort(),
    },
    controlRepository: join(project, 'examples', 'control-repo'),
    autosign: [],
    settings: { compile_workers: 1 },
  });
  try {
    stageAnew(installation.stagedEnvironment, 0, size);
    await installation.startPrimary();
    for (let index = 0; index < servers; index += 1) await installation.startCompileServer(index);
    await deployAll(installation, servers, deploys);
  } finally {
    await installation.stop();
    rmSync(installation.options.directory, { recursive: true, force: true });
  }
}

async function deployAll(installation: Installation, servers: number, deploys: number): Promise<void> {
  const operator = installation.operator();
  const files = Object.keys(versionedFiles(0, size)).length;
  console.log(`an environment of ${files} files, ${servers} compile servers`);
  const measure = async (what: string, count: number, stage: (version: number) => void, title: string) => {
    const committed: number[] = [];
    const live: number[] = [];
    const used = { primary: 0, servers: 0 };
    for (let version = 1; version <= count; version += 1) {
      stage(version);
      const before = cpuMs(installation);
      const { clients, timing } = await commitAll(installation, operator);
      const after = cpuMs(installation);
      used.primary += after.primary - before.primary;
      used.servers += after.servers - before.servers;
      if (clients.length !== servers || !clients.every((client) => client.is_current))
        throw new Error(`deploy ${version} is not live everywhere`);
      committed.push(timing.committed_ms);
      live.push(timing.live_ms);
      for (let index = 0; index < servers; index += 1) {
        const catalog = await fetchCatalog(operator, installation.compileServerUrl(index), certname);
        if (notifications(catalog)[title] !== String(version))
          throw new Error(`server ${index} is not at ${version}`);
      }
    }
    console.log(`${count} deploys, ${what}`);
    console.log(`  committed:           ${spread(committed)}`);
    console.log(`  live on all of them: ${spread(live)}`);
    const [primary, server] = [used.primary / count, used.servers / count / servers].map(Math.round);
    console.log(`  processor time:      primary ${primary} ms, each compile server ${server} ms`);
    return live;
  };
  const data = join(installation.stagedEnvironment, 'data/common.yaml');
  const one = (version: number) => writeFileSync(data, `---\nenvironment_data: '${version}'\n`);
  const live = await measure('one file changed', deploys, one, 'environment data');
  const all = (version: number) => stageVersion(installation.stagedEnvironment, version, size);
  await measure('everything changed', Math.ceil(deploys / 5), all, 'site');
  promise(`one changed file is live on ${servers} servers within a second`, quantile(live, 0.99) < 1000);
  operator.close();
}

async function commitAll(installation: Installation, operator: HttpClient): Promise<Answer> {
  const answer = await operator.send({
    method: 'POST',
    url: `${installation.primaryUrl}/file-sync/v1/commit`,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ 'commit-all': true, wait_ms: 30_000 }),
    timeoutMs: 60_000,
  });
  return JSON.parse(answer.body.toString('utf8')) as Answer;
}

/** Of processes and of the children that have ended, until now. */
function cpuMs({ compileServers, primary }: Installation) {
  const servers = compileServers.map((server) => cpuOf(server?.pid));
  return { primary: cpuOf(primary?.pid), servers: servers.reduce((sum, ms) => sum + ms, 0) };
}

function cpuOf(pid = 0): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  // utime, stime, cutime, cstime, in hundredths of a second
  return fields.slice(11, 15).reduce((sum, field) => sum + Number(field) * 10, 0);
}
