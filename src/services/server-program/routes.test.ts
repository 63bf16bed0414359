import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import type { HttpRequest } from '../../platform/http/index.ts';
import { programPath, programRoutes } from './routes.ts';

const sha256 = 'ab'.repeat(32);

async function ask(name: string): Promise<{ readonly status: number; readonly opened: readonly string[] }> {
  const opened: string[] = [];
  const archive = {
    async open(wanted: string) {
      opened.push(wanted);
      return wanted === sha256 ? { bytes: 3, stream: () => Readable.from(['tar']) } : undefined;
    },
  };
  const request = { params: { name } } as unknown as HttpRequest;
  const [route] = programRoutes(archive);
  const answer = await route?.handle(request);
  return { status: answer?.status ?? 0, opened };
}

test('the archive is served by its digest', async () => {
  const name = programPath(sha256).split('/').at(-1) ?? '';

  expect(await ask(name)).toEqual({ status: 200, opened: [sha256] });
  expect(await ask(name.replace('a', 'b'))).toMatchObject({ status: 404 });
});

test.each(['archive', '..', `../${sha256}.tar.gz`, `${sha256}.tar.gz.part`, sha256])(
  'nothing else is looked for (%s)',
  async (name) => {
    expect(await ask(name)).toEqual({ status: 404, opened: [] });
  },
);

test('agents are not let in', () => {
  expect(programRoutes({ open: async () => undefined }).map(({ allow }) => allow)).toEqual([
    { kind: 'any-of', of: [{ kind: 'infrastructure' }, expect.objectContaining({ name: 'pp_cli_auth' })] },
  ]);
});
