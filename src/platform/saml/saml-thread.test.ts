/** Hostile answers are refused early or given up, and later ones are read. */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { SamlProvider } from '../../../test/support/saml-provider.ts';
import type { SamlQuestion } from './response-reader.ts';
import { SamlThread } from './saml-thread.ts';

const acsUrl = 'https://console.test/saml/v1/acs';
const thread = new SamlThread(new URL('./saml-worker.ts', import.meta.url));
let question: Omit<SamlQuestion, 'response'>;
let good: string;

beforeAll(async () => {
  const provider = await SamlProvider.create();
  const { certificate, entityId: idpEntityId, privateKey, ssoUrl } = provider;
  const us = { entityId: 'https://console.test/saml/v1/meta', acsUrl, certificate, privateKey };
  good = await provider.answer(us, {
    inResponseTo: '_1',
    confirms: '_1',
    recipient: acsUrl,
    audience: us.entityId,
    attributes: [['uid', ['ann']]],
  });
  question = {
    settings: {
      idpEntityId,
      ssoUrl,
      certificates: [certificate],
      wantsMessagesSigned: true,
      wantsAssertionsSigned: true,
      wantsAssertionsEncrypted: false,
      signsMetadata: false,
      allowsDuplicateAttributes: false,
      signatureAlgorithm: 'sha256',
      contexts: [],
      contextComparison: 'exact',
    },
    us,
    requestId: '_1',
  };
});

afterAll(async () => await thread.stop());

const read = (xml: string) => thread.read({ ...question, response: Buffer.from(xml).toString('base64') });

test('an answer with more tags than people have groups is refused before it is parsed', async () => {
  const hostile = good.replace('<samlp:Status>', `${'<x/>'.repeat(20_000)}<samlp:Status>`);

  await expect(read(hostile)).rejects.toThrow(/^The message has 20\d{3} tags, more than 5000$/);
});

test('what is no XML is refused before the library repairs it', async () => {
  await expect(read(`<r>${'<a b'.repeat(4900)}`)).rejects.toThrow(
    'The message is no XML: Invalid attribute name',
  );
});

test('an answer is read after others were refused', async () => {
  const [refused, identity] = await Promise.allSettled([read(good.replace('ann', 'bob')), read(good)]);

  expect(refused).toMatchObject({ status: 'rejected', reason: { message: 'Invalid document signature' } });
  expect(identity).toMatchObject({ value: { attributes: new Map([['uid', ['ann']]]) } });
});

test('a thread that takes too long is ended, and each answer gets its time', async () => {
  const busy = new SamlThread(new URL('data:text/javascript,for (;;) ;'), 200);

  const answers = await Promise.allSettled([1, 2].map(() => busy.read({ ...question, response: good })));

  const refused = { reason: { message: 'The message could not be read: it took more than 0.2 s' } };
  expect(answers).toMatchObject([refused, refused]);
});
