import { expect, test } from 'vitest';
import { amzDate, authorizationOf } from './signature-v4.ts';

/** The keys, the date and the request `post-x-www-form-urlencoded` of the test suite that AWS publishes for its signatures. */
const credentials = {
  accessKeyId: 'AKIDEXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
};

test('a request of the published test suite gets the signature that stands there', () => {
  const authorization = authorizationOf(
    {
      method: 'POST',
      path: '/',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        host: 'example.amazonaws.com',
        'x-amz-date': amzDate(new Date('2015-08-30T12:36:00.123Z')),
      },
      body: 'Param1=value1',
    },
    { region: 'us-east-1', service: 'service' },
    credentials,
  );

  expect(authorization).toBe(
    'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, ' +
      'SignedHeaders=content-type;host;x-amz-date, ' +
      'Signature=ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a',
  );
});
