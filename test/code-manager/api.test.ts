/** `/code-manager/v1/*` as clients of Puppet Enterprise's code manager use it. */

import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ServiceError } from '../../src/lib/service-error.ts';
import { createHttpServer, type HttpServer, type TokenAuthenticator } from '../../src/platform/http/index.ts';
import { silentLogger } from '../../src/platform/log/index.ts';
import { codeManagerRoutes } from '../../src/services/code-manager/index.ts';
import { checkedRoutes } from '../support/checked-routes.ts';
import { TestRepository } from './repositories.ts';
import { type TestManager, testManager } from './test-manager.ts';

describe("The code manager's API", () => {
  const directory = mkdtempSync(join(tmpdir(), 'bunraku-code-api-'));
  const control = new TestRepository(join(directory, 'control'));
  const commit = control.commit('production', { 'manifests/site.pp': '' });
  control.commit('testing', { Puppetfile: "mod 'unfinished\n" });
  let code: TestManager;
  let http: HttpServer;
  let url = '';
  const token = 'may deploy everything';
  const tokenOfTesters = 'may deploy testing';
  const authenticate: TokenAuthenticator = async (text, address) => {
    const instance = { [token]: '*', [tokenOfTesters]: 'testing', 'of a viewer': undefined }[text];
    if (instance === undefined && text !== 'of a viewer')
      throw new ServiceError('unauthorized', 'The provided token is not valid.', {
        kind: 'puppetlabs.rbac/invalid-token',
      });
    return {
      kind: 'user',
      id: text,
      login: text,
      permits: ({ action, instance: wanted, objectType }) =>
        `${objectType}:${action}` === 'environment:deploy_code' &&
        instance !== undefined &&
        (wanted === undefined || instance === '*' || instance === wanted),
      address,
    };
  };

  beforeAll(async () => {
    code = await testManager(
      directory,
      `---\nsources:\n  main:\n    remote: ${control.directory}\n  gone:\n    remote: ${directory}/nowhere\n    basedir: ${directory}/elsewhere\n`,
    );
    http = createHttpServer({
      routes: checkedRoutes(
        codeManagerRoutes({
          manager: code.manager,
          allow: { kind: 'permission', permission: { objectType: 'environment', action: 'deploy_code' } },
          isValidated: false,
          validatedNodes: [],
          webhooks: { isAuthenticated: true, secret: () => Promise.resolve('s3cret'), log: silentLogger },
        }),
      ),
      authorization: { rules: [], allowHeaderCertInfo: false },
      authenticate,
      log: silentLogger,
    });
    url = `http://127.0.0.1:${await http.listen(0, '127.0.0.1')}/code-manager/v1`;
  });

  afterAll(async () => {
    await http.drain(1000);
    rmSync(directory, { recursive: true, force: true });
  });

  const ask = async (
    path: string,
    body?: unknown,
    headers: Record<string, string> = { 'x-authentication': token },
  ) => {
    const answer = await fetch(url + path, {
      headers,
      ...(body === undefined
        ? {}
        : { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    return { status: answer.status, body: (await answer.json()) as unknown };
  };

  test('answers a deploy with what was queued, or with how it ended', async () => {
    const queued = await ask('/deploys', { environments: ['production'] });
    const ended = await ask('/deploys', { environments: ['production', 'testing'], wait: true });

    expect(queued).toEqual({ status: 200, body: [{ environment: 'production', id: 1, status: 'queued' }] });
    expect(ended.status).toBe(200);
    expect(ended.body).toEqual([
      {
        'deploy-signature': commit,
        'file-sync': {
          'environment-commit': expect.stringMatching(/^[0-9a-f]{40}$/),
          'code-commit': expect.stringMatching(/^[0-9a-f]{40}$/),
        },
        environment: 'production',
        id: expect.any(Number),
        status: 'complete',
      },
      {
        environment: 'testing',
        error: {
          details: { 'corrected-env-name': 'testing' },
          kind: 'puppetlabs.code-manager/deploy-failure',
          msg: expect.stringMatching(
            /^Errors while deploying environment 'testing' \(exit code: 1\):\nERROR\t -> .*\n$/,
          ),
        },
        id: expect.any(Number),
        status: 'failed',
      },
    ]);
  });

  test('deploys all environments that the sources have', async () => {
    const { body } = await ask('/deploys', { 'deploy-all': true, wait: true });

    expect(body).toMatchObject([
      { environment: 'production', status: 'complete' },
      { environment: 'testing', status: 'failed' },
    ]);
  });

  test('tells in a dry run which environments there are, and which sources do not answer', async () => {
    const { body } = await ask('/deploys', { 'dry-run': true });

    expect(body).toEqual([
      { environment: 'production', source: 'main', remote: control.directory, ref: 'production' },
      { environment: 'testing', source: 'main', remote: control.directory, ref: 'testing' },
      {
        source: 'gone',
        error: {
          kind: 'puppetlabs.code-manager/fetch-failure',
          msg: expect.stringContaining("Unable to determine current branches for Git source 'gone'"),
        },
      },
    ]);
  });

  test('shows what has failed, and what is stored', async () => {
    const { body } = await ask('/deploys/status');

    expect(body).toMatchObject({
      'deploys-status': {
        new: [],
        queued: [],
        deploying: [],
        failed: expect.arrayContaining([
          {
            environment: 'testing',
            'queued-at': expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
            error: expect.objectContaining({ kind: 'puppetlabs.code-manager/deploy-failure' }),
          },
        ]),
      },
      'file-sync-storage-status': {
        deployed: [{ environment: 'production', 'deploy-signature': commit, date: expect.any(String) }],
      },
      'file-sync-client-status': { 'all-synced': true, 'file-sync-clients': {} },
    });
  });

  test('refuses clients without a proof', async () => {
    const paths = ['/deploys/status', '/environments/production/versions'];
    for (const path of paths)
      for (const [headers, kind] of [
        [{}, 'user-unauthenticated'],
        [{ 'x-authentication': '' }, 'user-unauthenticated'],
        [{ 'x-authentication': 'guess' }, 'invalid-token'],
      ] as const)
        expect(await ask(path, undefined, headers), path).toMatchObject({
          status: 401,
          body: { kind: `puppetlabs.rbac/${kind}` },
        });
    for (const path of ['/deploys', '/rollback', '/webhook?type=github'])
      expect((await ask(path, {}, {})).status, path).toBe(401);
    expect((await ask(`/deploys/status?token=${token}`, undefined, {})).status).toBe(200);
  });

  test('lets users deploy the environments that they may, and no others', async () => {
    const tester = { 'x-authentication': tokenOfTesters };
    const denied = { status: 403, body: { kind: 'puppetlabs.rbac/permission-denied' } };
    const push = { ref: 'refs/heads/production' };

    expect((await ask('/deploys', { environments: ['testing'] }, tester)).status).toBe(200);
    expect(await ask('/deploys', { environments: ['testing', 'production'] }, tester)).toMatchObject(denied);
    expect(await ask('/deploys', { 'deploy-all': true }, tester)).toMatchObject(denied);
    expect(await ask('/rollback', { environment: 'production' }, tester)).toMatchObject(denied);
    expect(await ask('/webhook?type=github', push, tester)).toMatchObject(denied);
    expect(
      await ask('/deploys', { environments: ['testing'] }, { 'x-authentication': 'of a viewer' }),
    ).toMatchObject(denied);
  });

  test('says what is wrong with a request', async () => {
    expect(await ask('/deploys', {})).toMatchObject({
      status: 400,
      body: { kind: 'puppetlabs.code-manager/schema-violation' },
    });
    expect(await ask('/deploys', '{')).toMatchObject({
      status: 400,
      body: { kind: 'puppetlabs.code-manager/malformed-request' },
    });
    expect((await ask('/deploys', { environments: 7 })).status).toBe(400);
    expect((await ask('/rollback', { environment: 'nothing' })).status).toBe(404);
    expect((await ask('/rollback', { environment: 'production', commit: '--help' })).status).toBe(400);
    expect((await ask('/environments/nothing/versions')).status).toBe(404);
  });

  test('believes webhooks that are signed or have a token, and no wrong signature', async () => {
    const body = JSON.stringify({ ref: 'refs/heads/production' });
    const signature = `sha256=${createHmac('sha256', 's3cret').update(body).digest('hex')}`;
    const hook = (query: string, headers: Record<string, string>, text = body) =>
      ask(`/webhook?${query}`, text, { 'content-type': 'application/json', ...headers });

    expect(await hook('type=github', { 'x-hub-signature-256': signature })).toEqual({
      status: 200,
      body: { status: 'OK' },
    });
    expect((await hook('type=github', { 'x-hub-signature-256': `${signature}0` })).status).toBe(403);
    expect((await hook(`type=github&token=${token}`, { 'x-hub-signature-256': 'sha256=0' })).status).toBe(
      403,
    );
    expect((await hook(`type=gitlab&token=${token}`, {})).status).toBe(200);
    expect((await hook('type=gitlab', { 'x-gitlab-token': 's3cret' })).status).toBe(200);
    expect((await hook(`type=tfs-git&token=${token}`, {}, 'no json')).status).toBe(400);
    expect(await hook(`type=githubby&token=${token}`, {})).toMatchObject({
      status: 400,
      body: {
        kind: 'puppetlabs.code-manager/unrecognized-webhook-type',
        msg: "Unrecognized webhook type: 'githubby'",
        details: expect.stringContaining('Currently supported valid webhook types include: github gitlab'),
      },
    });
    const form = `payload=${encodeURIComponent(body)}`;
    expect(
      (
        await hook(
          `type=github&token=${token}`,
          { 'content-type': 'application/x-www-form-urlencoded' },
          form,
        )
      ).status,
    ).toBe(200);
  });

  test('keeps versions, which can be gone back to', async () => {
    writeFileSync(join(control.directory, 'x'), '');
    const later = control.commit('production', { 'manifests/site.pp': 'notice(1)' });
    await ask('/deploys', { environments: 'production', wait: true });

    const versions = await ask('/environments/production/versions');
    const back = await ask('/rollback', { environment: 'production' });

    const [newest, before] = versions.body as readonly unknown[];
    expect(newest).toMatchObject({ 'deploy-signature': later, 'is-current': true });
    expect(before).toMatchObject({ 'deploy-signature': commit, 'is-current': false });
    expect(back).toMatchObject({ status: 200, body: { 'deploy-signature': commit, 'all-synced': true } });
  });
});
