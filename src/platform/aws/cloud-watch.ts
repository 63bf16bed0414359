/** Metrics in CloudWatch, by AWS's client, which is loaded with the first one. */

import type { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import { ServiceError } from '../../lib/service-error.ts';

export interface MetricValue {
  readonly namespace: string;
  readonly name: string;
  readonly dimensions: Readonly<Record<string, string>>;
  readonly unit: 'Percent' | 'Count';
  readonly value: number;
  readonly time: Date;
}

export class CloudWatch {
  private readonly region: () => Promise<string>;
  private opening: Promise<CloudWatchClient> | undefined;

  /** @param region - asked once, before the first value */
  constructor(region: () => Promise<string>) {
    this.region = region;
  }

  /** @throws ServiceError `unavailable` when AWS does not take it */
  async put({ dimensions, name, namespace, time, unit, value }: MetricValue): Promise<void> {
    try {
      const { PutMetricDataCommand } = await load();
      const Dimensions = Object.entries(dimensions).map(([Name, Value]) => ({ Name, Value }));
      const MetricData = [{ MetricName: name, Dimensions, Unit: unit, Value: value, Timestamp: time }];
      const client = await this.client();
      await client.send(new PutMetricDataCommand({ Namespace: namespace, MetricData }));
    } catch (error) {
      if (error instanceof ServiceError || !(error instanceof Error)) throw error;
      throw new ServiceError('unavailable', `AWS CloudWatch: ${error.name}: ${error.message}`, {
        cause: error,
      });
    }
  }

  async close(): Promise<void> {
    const { opening } = this;
    this.opening = undefined;
    (await opening?.catch(() => undefined))?.destroy();
  }

  private client(): Promise<CloudWatchClient> {
    this.opening ??= this.open();
    return this.opening;
  }

  private async open(): Promise<CloudWatchClient> {
    try {
      const { CloudWatchClient: Client } = await load();
      const requestHandler = { requestTimeout: 10_000, connectionTimeout: 5000, throwOnRequestTimeout: true };
      return new Client({ region: await this.region(), maxAttempts: 4, requestHandler });
    } catch (error) {
      this.opening = undefined;
      throw error;
    }
  }
}

function load() {
  return import('@aws-sdk/client-cloudwatch');
}
