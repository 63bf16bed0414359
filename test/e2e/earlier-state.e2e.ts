/** Directories of installations that earlier versions left start with this one, and nothing in them is lost. */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import type { Installation } from '../../demo/installation.ts';
import { HttpClient } from '../../src/platform/http-client/index.ts';
import { postgresPrograms, type RunningPostgres, startPostgres } from '../support/running-postgres.ts';
import {
  installationIn,
  recordedAgent,
  recordedDirectories,
  recordedNode,
  recordedUser,
} from '../upgrade/recorded-installation.ts';
import { readCredentials } from './support/agent.ts';
import { scenarios, scenariosUnless } from './support/requirements.ts';

const recordings = join(import.meta.dirname, '..', 'recorded', 'state');

for (const recording of readdirSync(recordings)) {
  if (recording === 'README.md') continue;
  const title = `The installation of ${recording}`;
  if (!recording.endsWith('-postgresql')) scenarios(title, () => startsAgain(recording));
  else
    scenariosUnless(postgresPrograms === undefined ? 'PostgreSQL is missing' : '', title, () =>
      startsAgain(recording),
    );
}

function startsAgain(recording: string): void {
  const source = join(recordings, recording);
  const directory = mkdtempSync(join(tmpdir(), 'bunraku-e2e-state-'));
  const running: { postgres?: RunningPostgres; installation?: Installation } = {};
  const installation = () => {
    if (running.installation === undefined) throw new Error('the installation does not run');
    return running.installation;
  };
  const get = async (path: string): Promise<unknown> => {
    const client = installation().operator();
    try {
      const url = `${installation().primaryUrl}${path}`;
      const { body, status } = await client.send({ method: 'GET', url });
      expect(status, body.toString('utf8')).toBe(200);
      return JSON.parse(body.toString('utf8'));
    } finally {
      client.close();
    }
  };
  const reports = async () => {
    const query = `reports[certname, status] { certname = "${recordedNode}" }`;
    return (await get(`/pdb/query/v4?${new URLSearchParams({ query })}`)) as readonly unknown[];
  };

  beforeAll(async () => {
    for (const name of recordedDirectories)
      execFileSync('tar', ['--extract', '--file', join(source, `${name}.tar.gz`), '--directory', directory]);
    const puppetDbUrl = recording.endsWith('-postgresql') ? await restoreDatabase() : undefined;
    running.installation = await installationIn({
      directory,
      program: inject('program'),
      project: inject('project'),
      puppetDbUrl,
    });
    await installation().startPrimary();
  });
  afterAll(async () => {
    await running.installation?.stop();
    await running.postgres?.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  async function restoreDatabase(): Promise<string> {
    running.postgres = await startPostgres({ isDurable: false });
    const location = await running.postgres.createDatabase();
    if (location.kind !== 'postgresql') throw new Error('unreachable: PostgreSQL makes such databases');
    const psql = join(postgresPrograms ?? '', 'psql');
    execFileSync(psql, ['--quiet', '--set=ON_ERROR_STOP=1', `--dbname=${location.url}`], {
      input: readFileSync(join(source, 'puppetdb.sql')),
      stdio: ['pipe', 'ignore', 'inherit'],
    });
    return location.url;
  }

  test('has its certificates, reports, groups and servers', async () => {
    expect(await reports()).toHaveLength(1);
    expect(await get('/puppet-ca/v1/certificate_statuses/any?state=signed')).toEqual(
      expect.arrayContaining(
        [recordedNode, 'compile1.bunraku.test', 'compile2.bunraku.test'].map((name): unknown =>
          expect.objectContaining({ name }),
        ),
      ),
    );
    const { servers } = (await get('/infrastructure/v1/status')) as { servers: readonly unknown[] };
    expect(servers).toMatchObject([
      { role: 'primary', state: 'running' },
      { certname: 'compile1.bunraku.test' },
      { certname: 'compile2.bunraku.test' },
    ]);
  });

  test('has the groups that came later, and its compile servers in them', async () => {
    const client = installation().operator();
    try {
      const url = `https://localhost:${installation().options.ports.consoleServices}/classifier-api/v1/groups`;
      const { body } = await client.send({ method: 'GET', url });
      const groups = JSON.parse(body.toString('utf8')) as readonly Readonly<
        Record<'id' | 'name' | 'parent' | 'rule', unknown>
      >[];
      const find = (wanted: string) => groups.find(({ name }) => name === wanted);
      const pins = ['compile1', 'compile2'].map((name) => ['=', 'name', `${name}.bunraku.test`]);

      expect(find('Compile servers')).toBeUndefined();
      expect(find('PE Compiler')).toMatchObject({ parent: find('PE Master')?.id });
      expect(find('PE Compiler')?.rule).toEqual(expect.arrayContaining(pins));
      expect(find('PE Master')?.rule).toEqual(expect.arrayContaining(pins));
      // Nothing else is given to the nodes that there were.
      expect(find('PE Agent')).not.toHaveProperty('rule');
      expect(find('Agent-specified environment')).not.toHaveProperty('rule');
    } finally {
      client.close();
    }
  });

  test('knows its users', async () => {
    const client = installation().operator();
    try {
      const { body, status } = await client.send({
        method: 'POST',
        url: `https://localhost:${installation().options.ports.consoleServices}/rbac-api/v1/auth/token`,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(recordedUser),
      });
      expect({ status, body: body.toString('utf8') }).toMatchObject({ status: 200 });
    } finally {
      client.close();
    }
  });

  test('delivers what its compile server had kept, and serves its agent', async () => {
    await installation().startCompileServer(0);
    await expect.poll(reports).toHaveLength(2);
    await installation().startCompileServer(1);
    const agent = recordedAgent(directory, installation().options.ports.compileServers[1] ?? 0);

    const { resources } = await agent.run();

    agent.close();
    expect(resources).toBeGreaterThan(5);
    await expect.poll(reports).toHaveLength(3);
  });

  test('serves a server that names no protocol, and tells one that is too new', async () => {
    const ssl = join(directory, 'compile1', 'puppet', 'ssl');
    const client = new HttpClient(readCredentials(ssl, 'compile1.bunraku.test'));
    const checkIn = async (headers: Readonly<Record<string, string>>) => {
      const url = `${installation().primaryUrl}/infrastructure/v1/check-in`;
      const { body, status } = await client.send({ method: 'POST', url, headers, body: earlierCheckIn });
      return { status, text: body.toString('utf8') };
    };

    const [earlier, later] = [await checkIn({}), await checkIn({ 'x-bunraku-protocol': '99' })];

    client.close();
    expect(earlier).toMatchObject({ status: 200 });
    expect(later).toMatchObject({ status: 409 });
    expect(later.text).toContain('compile1.bunraku.test speaks protocol 99');
  });
}

/** As the first servers sent it. */
const earlierCheckIn = JSON.stringify({
  state: 'running',
  version: '7.23.0',
  url: 'https://compile1.bunraku.test:8140',
  started_at: '2026-11-25T20:00:00Z',
  services: { master: { state: 'running', active_alerts: [] } },
  code: {},
  load: { workers: 2, busy_workers: 0, queued: 0, load_average: 0, cores: 2, resident_bytes: 1 },
  undelivered: 0,
});
