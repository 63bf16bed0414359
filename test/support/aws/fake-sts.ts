/** `GetCallerIdentity` as AWS answers it, with its checks of the signature. */

import { randomBytes } from 'node:crypto';
import { type ArrivedRequest, checkSignature, SignatureError } from './signature-check.ts';

export interface KnownCaller {
  readonly accessKeyId: string;
  readonly secret: string;
  readonly sessionToken?: string;
  /** `arn:aws:sts::123456789012:assumed-role/ROLE/SESSION` */
  readonly arn: string;
  readonly userId: string;
  readonly account: string;
}

export interface FakeAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

/** A caller that has the credentials of the role of an instance. */
export function instanceCaller(account: string, role: string, instanceId: string): KnownCaller {
  return {
    accessKeyId: `ASIA${randomBytes(8).toString('hex').toUpperCase()}`,
    secret: randomBytes(30).toString('base64'),
    sessionToken: randomBytes(300).toString('base64'),
    arn: `arn:aws:sts::${account}:assumed-role/${role}/${instanceId}`,
    userId: `AROA${randomBytes(8).toString('hex').toUpperCase()}:${instanceId}`,
    account,
  };
}

export class FakeSts {
  private readonly callers = new Map<string, KnownCaller>();

  add(caller: KnownCaller): void {
    this.callers.set(caller.accessKeyId, caller);
  }

  answer(request: ArrivedRequest, now: Date = new Date()): FakeAnswer {
    try {
      const { accessKeyId, service } = checkSignature(request, (id) => this.callers.get(id), now);
      const form = new URLSearchParams(request.body.toString('utf8'));
      const caller = this.callers.get(accessKeyId);
      if (service !== 'sts' || form.get('Action') !== 'GetCallerIdentity' || caller === undefined)
        return failure(400, 'InvalidAction', 'Could not find operation');
      const { account, arn, userId } = caller;
      return xml(200, [
        '<GetCallerIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">',
        '  <GetCallerIdentityResult>',
        `    <Arn>${arn}</Arn>`,
        `    <UserId>${userId}</UserId>`,
        `    <Account>${account}</Account>`,
        '  </GetCallerIdentityResult>',
        '  <ResponseMetadata>',
        '    <RequestId>01234567-89ab-cdef-0123-456789abcdef</RequestId>',
        '  </ResponseMetadata>',
        '</GetCallerIdentityResponse>',
      ]);
    } catch (error) {
      if (error instanceof SignatureError) return failure(403, error.code, error.message);
      throw error;
    }
  }
}

function failure(status: number, code: string, message: string): FakeAnswer {
  return xml(status, [
    '<ErrorResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">',
    `  <Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error>`,
    '  <RequestId>01234567-89ab-cdef-0123-456789abcdef</RequestId>',
    '</ErrorResponse>',
  ]);
}

function xml(status: number, lines: readonly string[]): FakeAnswer {
  return { status, contentType: 'text/xml', body: `${lines.join('\n')}\n` };
}
