import { expect, onTestFinished, test } from 'vitest';
import { OpensslAuthority } from '../../../test/support/openssl-authority.ts';
import { HttpClient } from '../http-client/index.ts';
import { silentLogger } from '../log/index.ts';
import { createHttpServer } from './http-server.ts';
import { route } from './route.ts';

test('a server that loses its rights while it waits for news gets none; what it has sent is finished', async () => {
  const authority = new OpensslAuthority('CA');
  const news = Promise.withResolvers<void>();
  const waiting: string[] = [];
  const answerOf = (method: 'GET' | 'POST', path: string, isForAll: boolean) =>
    route({
      method,
      path,
      allow: { kind: isForAll ? 'anyone' : 'infrastructure' },
      async handle() {
        waiting.push(path);
        await news.promise;
        return { status: 200, body: 'secret' };
      },
    });
  let isServer = true;
  const server = createHttpServer({
    routes: [
      answerOf('GET', '/news', false),
      answerOf('GET', '/open', true),
      answerOf('POST', '/sent', false),
    ],
    authorization: { rules: [], allowHeaderCertInfo: false },
    tls: { ...authority.issue('localhost'), ca: authority.certificate, crl: authority.crl() },
    log: silentLogger,
    isInfrastructure: () => isServer,
  });
  const port = await server.listen(0, 'localhost');
  const client = new HttpClient({ ca: authority.certificate, ...authority.issue('compile1.test') });
  onTestFinished(async () => {
    client.close();
    await server.drain(1000);
    authority.remove();
  });
  const ask = (method: 'GET' | 'POST', path: string) =>
    client.send({ method, url: `https://localhost:${port}${path}`, timeoutMs: 20_000 });
  const asked = [ask('GET', '/news'), ask('GET', '/open'), ask('POST', '/sent')];
  await expect.poll(() => waiting.length).toBe(3);

  isServer = false;
  news.resolve();

  const answers = await Promise.all(asked);
  expect(answers.map(({ status }) => status)).toEqual([403, 200, 200]);
  expect(answers[0]?.body.toString()).not.toContain('secret');
});
