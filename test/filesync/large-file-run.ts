/** A file of any size on its way: staged, committed, fetched, checked out, served; and the memory that it takes. */

import { createHash, randomBytes } from 'node:crypto';
import {
  createReadStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Installation } from '../../demo/installation.ts';
import { freePort } from '../../demo/ports.ts';
import { until } from '../e2e/support/until.ts';

export interface LargeFileRun {
  readonly committedMs: number;
  readonly liveMs: number;
  /** SHA-256 of the file as it was staged, as it lies on the compile server, and as that serves it. */
  readonly digests: readonly [staged: string, live: string, served: string];
  /** Resident mebibytes of each server's process before, and the most that it had afterwards. */
  readonly primary: Growth;
  readonly compileServer: Growth;
  /** The most that one process of git had. */
  readonly gitMib: number;
}

export interface Growth {
  readonly beforeMib: number;
  readonly mostMib: number;
}

/** @param allowedMib - what a server may use in addition to before, and a process of git in all */
export function faultsOf(run: LargeFileRun, allowedMib: { readonly server: number; readonly git: number }) {
  const { compileServer, digests, gitMib, primary } = run;
  const faults: string[] = [];
  if (digests.some((digest) => digest !== digests[0])) faults.push('the file did not arrive as it was');
  for (const [server, { beforeMib, mostMib }] of Object.entries({ primary, compileServer }))
    if (mostMib - beforeMib > allowedMib.server)
      faults.push(`${server} had ${mostMib - beforeMib} MiB for the file`);
  if (gitMib > allowedMib.git) faults.push(`a process of git had ${gitMib} MiB`);
  return faults;
}

const name = 'modules/large/files/file';
const mebibyte = 2 ** 20;
const sampleMs = 50;

/** @param program - a directory with `dist/`; @param project - with `examples/` */
export async function largeFileRun(program: string, project: string, mib: number): Promise<LargeFileRun> {
  const installation = new Installation({
    directory: mkdtempSync(join(tmpdir(), 'bunraku-large-')),
    project: program,
    node: process.execPath,
    ports: { primary: await freePort(), compileServers: [await freePort()], balancer: await freePort() },
    controlRepository: join(project, 'examples', 'control-repo'),
    autosign: [],
    settings: { compile_workers: 1 },
  });
  try {
    await installation.startPrimary();
    await installation.startCompileServer(0);
    const staged = await writeLarge(join(installation.stagedEnvironment, name), mib);
    return await bring(installation, staged);
  } finally {
    await installation.stop();
    rmSync(installation.options.directory, { recursive: true, force: true });
  }
}

async function bring(installation: Installation, staged: string): Promise<LargeFileRun> {
  const { primary, compileServers, options } = installation;
  const pids = [primary?.pid ?? 0, compileServers[0]?.pid ?? 0] as const;
  const before = pids.map(residentMib);
  const watch = new ChildWatch(pids);
  const operator = installation.operator();
  try {
    const answer = await operator.send({
      method: 'POST',
      url: `${installation.primaryUrl}/file-sync/v1/commit`,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ 'commit-all': true, wait_ms: 300_000 }),
      timeoutMs: 600_000,
    });
    const { clients, timing } = JSON.parse(answer.body.toString('utf8')) as CommitAnswer;
    if (!clients.every((client) => client.is_current)) throw new Error('the compile server is not current');
    const link = join(options.directory, 'compile1', 'code', 'environments', 'production', name);
    await until('the link to the live version is there', () => existsSync(link));
    const live = await digestOf(createReadStream(link));
    const served = await operator.stream({
      method: 'GET',
      url: `${installation.compileServerUrl(0)}/puppet/v3/file_content/modules/large/file?environment=production`,
      headers: { accept: 'application/octet-stream' },
      timeoutMs: 600_000,
    });
    if (served.status !== 200)
      throw new Error(`the file is served with status ${served.status} ${await textOf(served.body)}`);
    const digests = [staged, live, await digestOf(served.body)] as const;
    const [atPrimary = 0, atCompileServer = 0] = pids.map(mostResidentMib);
    const [primaryBefore = 0, compileServerBefore = 0] = before;
    return {
      committedMs: timing.committed_ms,
      liveMs: timing.live_ms,
      digests,
      primary: { beforeMib: primaryBefore, mostMib: atPrimary },
      compileServer: { beforeMib: compileServerBefore, mostMib: atCompileServer },
      gitMib: watch.mostMib,
    };
  } finally {
    operator.close();
    watch.stop();
  }
}

interface CommitAnswer {
  readonly timing: { readonly committed_ms: number; readonly live_ms: number };
  readonly clients: readonly { readonly is_current: boolean }[];
}

/** Does not compress. @returns its SHA-256 */
async function writeLarge(path: string, mib: number): Promise<string> {
  mkdirSync(dirname(path), { recursive: true });
  const hash = createHash('sha256');
  const file = await open(path, 'w');
  for (let index = 0; index < mib; index += 1) {
    const chunk = randomBytes(mebibyte);
    hash.update(chunk);
    await file.write(chunk);
  }
  await file.close();
  return hash.digest('hex');
}

async function textOf(stream: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8').slice(0, 500);
}

async function digestOf(stream: AsyncIterable<Buffer>): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of stream) hash.update(chunk);
  return hash.digest('hex');
}

/** Looks at the processes that servers have started, and at what those have started. */
class ChildWatch {
  mostMib = 0;
  private readonly parents: readonly number[];
  private readonly timer: NodeJS.Timeout;

  constructor(parents: readonly number[]) {
    this.parents = parents;
    this.timer = setInterval(() => this.look(), sampleMs);
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private look(): void {
    const family = new Set(this.parents);
    const processes = readdirSync('/proc').filter((entry) => /^\d+$/.test(entry));
    // Children have higher numbers than their parents, as long as numbers do not begin anew.
    for (const pid of processes.map(Number).sort((a, b) => a - b)) {
      if (family.has(pid) || !family.has(parentOf(pid))) continue;
      family.add(pid);
      this.mostMib = Math.max(this.mostMib, mostResidentMib(pid));
    }
  }
}

function parentOf(pid: number): number {
  return Number(/^PPid:\s+(\d+)/m.exec(statusOf(pid))?.[1] ?? 0);
}

function residentMib(pid: number): number {
  return Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(statusOf(pid))?.[1] ?? 0) / 1024);
}

function mostResidentMib(pid: number): number {
  return Math.round(Number(/^VmHWM:\s+(\d+)/m.exec(statusOf(pid))?.[1] ?? 0) / 1024);
}

function statusOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    return ''; // it has ended
  }
}
