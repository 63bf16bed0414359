/** What the console and its logins are asked: searches, bodies, answers of identity providers. */

import { generateKeyPairSync } from 'node:crypto';
import { createLocalJWKSet, exportJWK, SignJWT } from 'jose';
import type { z } from 'zod';
import { ServiceError } from '../../src/lib/service-error.ts';
import { OidcError } from '../../src/platform/oidc/index.ts';
import { verifyLogoutToken } from '../../src/platform/oidc/logout-token.ts';
import { SamlError } from '../../src/platform/saml/index.ts';
import { readResponse } from '../../src/platform/saml/response-reader.ts';
import { consoleBodies } from '../../src/services/console/console-bodies.ts';
import { readSearch } from '../../src/services/console/nodes/search-text.ts';
import {
  CatalogDiffQueryWire,
  EventQueryWire,
  FacetQueryWire,
  NodeQueryWire,
  PackageQueryWire,
  SavedViewQueryWire,
} from '../../src/services/console/wire.ts';
import { decodeNextRuns } from '../../src/services/orchestrator/http/schedule-wire.ts';
import { decodeTargets } from '../../src/services/orchestrator/http/wire.ts';
import { nextTimes } from '../../src/services/orchestrator/scheduling/schedule.ts';
import { SamlProvider } from '../support/saml-provider.ts';
import type { Parser } from './fuzz.ts';
import { jsonWords } from './words.ts';

const bodies = [
  ['NodeQueryWire', NodeQueryWire, '{"q":"web status:failed","columns":["fact.os.name"],"limit":100}'],
  ['FacetQueryWire', FacetQueryWire, '{"field":"fact.os.name","q":"web","limit":10}'],
  [
    'EventQueryWire',
    EventQueryWire,
    '{"by":"message","status":"failed","from":"2026-11-24T00:00:00Z","q":"a"}',
  ],
  ['PackageQueryWire', PackageQueryWire, '{"q":"ssl","order_by":"nodes","limit":100}'],
  [
    'CatalogDiffQueryWire',
    CatalogDiffQueryWire,
    '{"left":{"certname":"a.example.net"},"right":{"certname":"b.example.net","environment":"testing"}}',
  ],
  ['SavedViewQueryWire', SavedViewQueryWire, '{"kind":"nodes","name":"Failed","content":"q=status:failed"}'],
] as const;

const acsUrl = 'https://console.test/saml/v1/acs';
const requestId = '_0a1b';
const provider = await SamlProvider.create();
const receiver = {
  entityId: 'https://console.test/saml/v1/meta',
  acsUrl,
  certificate: provider.certificate,
};
const question = {
  settings: {
    idpEntityId: provider.entityId,
    ssoUrl: provider.ssoUrl,
    certificates: [provider.certificate],
    wantsMessagesSigned: true,
    wantsAssertionsSigned: true,
    wantsAssertionsEncrypted: false,
    signsMetadata: false,
    allowsDuplicateAttributes: false,
    signatureAlgorithm: 'sha256',
    contexts: [],
    contextComparison: 'exact',
  },
  us: { ...receiver, privateKey: provider.privateKey },
  requestId,
} as const;
// In the product a thread does this, which is silent, too.
console.warn = () => undefined;
console.error = () => undefined;
const answer = await provider.answer(receiver, {
  inResponseTo: requestId,
  confirms: requestId,
  recipient: acsUrl,
  audience: receiver.entityId,
  attributes: [['uid', ['ann']]],
});

const issuer = 'https://login.test';
const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const keys = createLocalJWKSet({ keys: [{ ...(await exportJWK(publicKey)), alg: 'ES256' }] });
const logoutToken = await new SignJWT({
  sub: 'ann',
  events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
})
  .setProtectedHeader({ alg: 'ES256', typ: 'logout+jwt' })
  .setIssuer(issuer)
  .setAudience('bunraku')
  .setIssuedAt()
  .setJti('1')
  .sign(privateKey);

export const consoleParsers: readonly Parser[] = [
  {
    name: 'search for nodes',
    seeds: ['web status:failed -environment:testing fact.os.name=Debian trusted.extensions.pp_role~"^web"'],
    words: [
      'status:',
      'environment:',
      'fact.',
      'trusted.',
      '"',
      '\\',
      '-',
      '~',
      '>=',
      ' ',
      '(.*a){25}$',
      ':',
    ],
    refusals: [ServiceError],
    parse: (input) => readSearch(input.toString('utf8'), 0),
  },
  ...bodies.map(
    ([name, wire, seed]): Parser => ({
      name,
      seeds: [seed],
      isJson: true,
      words: jsonWords,
      refusals: [ServiceError],
      parse: (input) => consoleBodies.decode(wire as z.ZodType, input),
    }),
  ),
  {
    name: 'targets of a job',
    seeds: ['{"scope":{"query":["from","nodes",["=","certname","a"]]},"task":"service","limit":10}'],
    isJson: true,
    words: jsonWords,
    refusals: [ServiceError],
    parse: decodeTargets,
  },
  {
    name: 'next runs of a schedule',
    seeds: [
      '{"schedule_options":{"cron":"0 4 * * MON#2","time_zone":"Europe/Berlin"},"count":5}',
      '{"scheduled_time":"2026-11-24T00:00:00Z","schedule_options":{"interval":{"units":"seconds","value":86400}}}',
    ],
    isJson: true,
    words: [...jsonWords, '"cron":', '0 0 30 2 *', '* ', 'L', '#5', '"UTC"'],
    refusals: [ServiceError],
    parse(input) {
      const { count, schedule } = decodeNextRuns(input);
      return nextTimes(schedule, Date.UTC(2026, 10, 24), count);
    },
  },
  {
    name: 'answer of a SAML provider',
    seeds: [answer],
    words: ['<', '>', '/>', '<!--', '-->', '<![CDATA[', '&lt;', '&#0;', ' ID="_1"', '<!DOCTYPE a>', 'xmlns:'],
    refusals: [SamlError],
    parse: (input) => readResponse({ ...question, response: input.toString('base64') }),
  },
  {
    name: 'logout token of an OpenID provider',
    seeds: [logoutToken],
    words: ['.', '..', 'eyJhbGciOiJub25lIn0', 'e30', '='],
    refusals: [OidcError],
    async parse(input) {
      try {
        const wanted = { issuer, audience: 'bunraku', now: new Date(), keys };
        return await verifyLogoutToken(input.toString('utf8'), wanted);
      } catch (error) {
        // What the library throws, its caller takes for a refusal.
        if (error instanceof Error && 'code' in error) throw new OidcError('refused', error.message, error);
        throw error;
      }
    },
  },
];
