import { expect, test } from 'vitest';
import { findPrimary, findSharedSettings } from './find-primary.ts';

const url = 'https://any.test:8140';

/** A server that answers everything with the same. */
function answering(status: number, body: string) {
  const asked: string[] = [];
  const send = async (request: { readonly url: string }) => {
    asked.push(request.url);
    return { status, headers: {}, body: Buffer.from(body) };
  };
  return { asked, send };
}

test('a compile server says where the primary is; the primary does not know the question', async () => {
  const compileServer = answering(200, '{"primary": "https://primary.test:8140"}');

  expect(await findPrimary(compileServer, url)).toBe('https://primary.test:8140');
  expect(compileServer.asked).toEqual([`${url}/infrastructure/v1/membership`]);
  expect(await findPrimary(answering(404, 'Not Found'), url)).toBe(url);
});

test.each([
  [200, '{"primary": "no URL"}'],
  [200, '<html>'],
  [403, '{"primary": "https://primary.test:8140"}'],
])('an answer that makes no sense is refused: %d %s', async (status, body) => {
  await expect(findPrimary(answering(status, body), url)).rejects.toMatchObject({
    reason: 'bad-gateway',
    message: `${url} does not say where the primary is: it answered with status ${status}`,
  });
});

test('settings are taken over from a primary that has some to share', async () => {
  const shared = (status: number, body: string) => findSharedSettings(answering(status, body), url);

  expect(await shared(200, '{"settings": {"language_level": "8"}}')).toEqual({ language_level: '8' });
  expect(await shared(200, '{"settings": {"language_level": 8}}')).toEqual({});
  expect(await shared(404, 'Not Found')).toEqual({});
  expect(await shared(403, '{"settings": {"language_level": "8"}}')).toEqual({});
  await expect(shared(409, 'update this server first')).rejects.toMatchObject({
    reason: 'conflict',
    message: 'update this server first',
  });
});
