import { expect, test } from 'vitest';
import { consoleServicesUrl, primaryTokens } from './primary-tokens.ts';

interface Asked {
  readonly method: string;
  readonly url: string;
  readonly token: unknown;
}

/** A primary that knows one token, whose user may run tasks named `package`, see all nodes, and deploy nothing. */
function primary(authenticated: { readonly status: number; readonly body: object }) {
  const asked: Asked[] = [];
  const permitted: Readonly<Record<string, readonly string[]>> = {
    'tasks/run': ['package'],
    'nodes/view_data': ['*'],
    'environment/deploy_code': [],
  };
  const send = async ({ headers, method, url }: { method: string; url: string; headers?: object }) => {
    asked.push({ method, url, token: (headers as Record<string, unknown>)['x-authentication'] });
    const name = Object.keys(permitted).find((each) => url.endsWith(`/permitted/${each}`));
    const { body, status } =
      name === undefined ? authenticated : { status: 200, body: permitted[name] ?? [] };
    return { status, headers: {}, body: Buffer.from(JSON.stringify(body)) };
  };
  const known = [
    { objectType: 'tasks', action: 'run' },
    { objectType: 'nodes', action: 'view_data' },
    { objectType: 'environment', action: 'deploy_code' },
  ];
  return { asked, authenticate: primaryTokens({ send }, 'https://primary.test:4433', known) };
}

const ada = { status: 200, body: { user_id: 'u1', login: 'ada', more: true } };

test('the primary says whose a token is, and what it permits of each object', async () => {
  const { asked, authenticate } = primary(ada);

  const user = await authenticate('secret', '192.0.2.1');

  expect(user).toMatchObject({ kind: 'user', id: 'u1', login: 'ada', address: '192.0.2.1' });
  const permits = (objectType: string, action: string, instance?: string) =>
    user.permits({ objectType, action, ...(instance === undefined ? {} : { instance }) });
  expect(permits('tasks', 'run', 'package')).toBe(true);
  expect(permits('tasks', 'run', 'service')).toBe(false);
  expect(permits('tasks', 'run', '*')).toBe(false);
  expect(permits('tasks', 'run')).toBe(true);
  expect(permits('nodes', 'view_data', 'anything')).toBe(true);
  expect(permits('environment', 'deploy_code')).toBe(false);
  expect(permits('users', 'edit')).toBe(false);
  expect(
    asked.every(({ token, url }) => token === 'secret' && url.startsWith('https://primary.test:4433/')),
  ).toBe(true);
  expect(asked.map(({ method }) => method)).toEqual(['POST', 'GET', 'GET', 'GET']);
});

test('a token that the primary refuses is refused in its words, and nothing more is asked', async () => {
  const body = { kind: 'token-revoked', msg: 'Authentication token has been revoked.' };
  const { asked, authenticate } = primary({ status: 401, body });

  await expect(authenticate('secret', '192.0.2.1')).rejects.toMatchObject({
    reason: 'unauthorized',
    kind: 'token-revoked',
    message: 'Authentication token has been revoked.',
  });
  expect(asked).toHaveLength(1);
});

test('a primary that does not say what a token permits is an error, and no permission', async () => {
  const { authenticate } = primary({ status: 503, body: {} });

  await expect(authenticate('secret', '192.0.2.1')).rejects.toMatchObject({ reason: 'unavailable' });
});

test.each([
  ['auto', 'https://primary.test:4433'],
  [0, 'https://primary.test:4433'],
  [14433, 'https://primary.test:14433'],
] as const)('its port for users is %s: %s', (consoleServicesPort, url) => {
  expect(consoleServicesUrl('https://primary.test:8140', { consoleServicesPort })).toBe(url);
});
