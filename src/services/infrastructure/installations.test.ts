import { expect, test } from 'vitest';
import type { JsonObject } from '../../lib/json.ts';
import type { HttpRequest } from '../../platform/http/index.ts';
import type { HttpClient } from '../../platform/http-client/index.ts';
import { silentLogger } from '../../platform/log/index.ts';
import { type CandidateServer, installationRoute, RemoteInstallations } from './installations.ts';

const node = { certname: 'compile1.test', extensions: { pp_role: 'pool' }, isInstalled: true };
const { signal } = new AbortController();

/** A compile server whose requests reach the route of a primary. @param answer - instead of the route's */
function remote(
  parameters: JsonObject | undefined,
  answer?: () => Promise<{ readonly status: number; readonly body: Buffer }>,
): { readonly installations: RemoteInstallations; readonly asked: CandidateServer[] } {
  const asked: CandidateServer[] = [];
  const terminus = {
    async find(candidate: CandidateServer) {
      asked.push(candidate);
      return parameters;
    },
  };
  const route = installationRoute(terminus, { kind: 'infrastructure' });
  const send = async ({ body }: { readonly body: string }) => {
    const request = { body: async () => Buffer.from(body), signal } as unknown as HttpRequest;
    const response = await route.handle(request);
    return { status: response.status, body: Buffer.from(String(response.body)) };
  };
  const client = { send: answer ?? send } as unknown as HttpClient;
  const options = { client, primaryUrl: 'https://primary.test:8140', log: silentLogger };
  return { installations: new RemoteInstallations(options), asked };
}

test('compile servers get the answer of the primary', async () => {
  const { asked, installations } = remote({ ensure: 'present', shared_settings: { level: '8' } });

  expect(await installations.find(node, signal)).toEqual({
    ensure: 'present',
    shared_settings: { level: '8' },
  });
  expect(asked).toEqual([node]);
});

test('where the primary manages nothing, compile servers do not either', async () => {
  expect(await remote(undefined).installations.find(node, signal)).toBeUndefined();
});

test.each([
  ['is away', () => Promise.reject(new Error('refused'))],
  ['is older', async () => ({ status: 404, body: Buffer.from('Not Found') })],
  ['answers something else', async () => ({ status: 200, body: Buffer.from('{}') })],
])('nothing is managed while the primary %s', async (_, answer) => {
  const { installations } = remote({ ensure: 'present' }, answer);

  expect(await installations.find(node, signal)).toBeUndefined();
});

test('the route is for servers of the installation', () => {
  const terminus = { find: async () => undefined };

  expect(installationRoute(terminus, { kind: 'infrastructure' }).allow).toEqual({ kind: 'infrastructure' });
});
