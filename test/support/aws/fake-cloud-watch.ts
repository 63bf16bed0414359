/** `PutMetricData`, in both protocols that AWS's clients speak. */

import { failure } from './fake-auto-scaling.ts';
import type { FakeAnswer } from './fake-sts.ts';

export interface FakeDatum {
  readonly namespace: string;
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly dimensions: Readonly<Record<string, string>>;
}

interface JsonDatum {
  readonly MetricName: string;
  readonly Value: number;
  readonly Unit: string;
  readonly Dimensions: readonly { readonly Name: string; readonly Value: string }[];
}

export class FakeCloudWatch {
  readonly data: FakeDatum[] = [];

  /** @param target - `X-Amz-Target`, of the JSON protocol */
  answer(target: string | undefined, body: Buffer): FakeAnswer {
    if (target?.endsWith('.PutMetricData') === true) {
      const { MetricData, Namespace } = JSON.parse(body.toString('utf8')) as {
        readonly Namespace: string;
        readonly MetricData: readonly JsonDatum[];
      };
      for (const { Dimensions, MetricName, Unit, Value } of MetricData)
        this.data.push({
          namespace: Namespace,
          name: MetricName,
          value: Value,
          unit: Unit,
          dimensions: Object.fromEntries(Dimensions.map(({ Name, Value: value }) => [Name, value])),
        });
      return { status: 200, contentType: 'application/x-amz-json-1.0', body: '{}' };
    }
    const form = new URLSearchParams(body.toString('utf8'));
    if (form.get('Action') !== 'PutMetricData') return failure(400, 'InvalidAction', 'Not known here');
    this.addFrom(form);
    const content =
      '<ResponseMetadata><RequestId>01234567-89ab-cdef-0123-456789abcdef</RequestId></ResponseMetadata>';
    return {
      status: 200,
      contentType: 'text/xml',
      body: `<PutMetricDataResponse xmlns="http://monitoring.amazonaws.com/doc/2010-08-01/">${content}</PutMetricDataResponse>`,
    };
  }

  private addFrom(form: URLSearchParams): void {
    const prefix = 'MetricData.member.1.';
    const name = form.get(`${prefix}Dimensions.member.1.Name`);
    this.data.push({
      namespace: form.get('Namespace') ?? '',
      name: form.get(`${prefix}MetricName`) ?? '',
      value: Number(form.get(`${prefix}Value`)),
      unit: form.get(`${prefix}Unit`) ?? '',
      dimensions: name === null ? {} : { [name]: form.get(`${prefix}Dimensions.member.1.Value`) ?? '' },
    });
  }
}
