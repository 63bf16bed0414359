/** What is measured while the program runs, in Prometheus' terms. */

import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { RequestSample } from '../http/index.ts';
import { RouteStatistics } from './route-statistics.ts';

/** Seconds: from a file's metadata to a large catalog. */
const requestBuckets = [0.001, 0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

export interface MetricDefinition {
  /** Begins with `bunraku_`; ends with the unit: `_seconds`, `_bytes`, `_total`. */
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly string[];
}

/** One registry for each server, so that several in one process do not mix. */
export class Metrics {
  readonly routes = new RouteStatistics();
  private readonly registry = new Registry();
  private readonly requests: Histogram;

  constructor() {
    collectDefaultMetrics({ register: this.registry });
    const labelNames = ['method', 'route', 'status'];
    this.requests = new Histogram({
      name: 'bunraku_http_request_duration_seconds',
      help: 'Time from the first line of a request to the last byte of its answer.',
      labelNames,
      buckets: requestBuckets,
      registers: [this.registry],
    });
  }

  /** For `onServed` of the HTTP server. */
  readonly observeRequest = (
    sample: Pick<RequestSample, 'durationMs' | 'method' | 'route' | 'status'>,
  ): void => {
    const { method, route, status, durationMs } = sample;
    this.requests.observe({ method, route, status }, durationMs / 1000);
    this.routes.observe(route, durationMs);
  };

  counter(definition: MetricDefinition): Counter {
    return new Counter(this.configuration(definition));
  }

  /** @param read - asked whenever the metrics are; otherwise the gauge is set by hand */
  gauge(definition: MetricDefinition, read?: () => number): Gauge {
    if (read === undefined) return new Gauge(this.configuration(definition));
    const collect = function (this: Gauge): void {
      this.set(read());
    };
    return new Gauge({ ...this.configuration(definition), collect });
  }

  /** @param read - asked whenever the metrics are; while it returns `undefined`, there is no sample */
  optionalGauge(definition: MetricDefinition, read: () => number | undefined): Gauge {
    const collect = function (this: Gauge): void {
      const value = read();
      if (value === undefined) this.remove();
      else this.set(value);
    };
    return new Gauge({ ...this.configuration(definition), collect });
  }

  histogram(definition: MetricDefinition, buckets: readonly number[] = requestBuckets): Histogram {
    return new Histogram({ ...this.configuration(definition), buckets: [...buckets] });
  }

  get contentType(): string {
    return this.registry.contentType;
  }

  /** Everything in Prometheus' text format. */
  render(): Promise<string> {
    return this.registry.metrics();
  }

  private configuration({ name, help, labels = [] }: MetricDefinition): {
    name: string;
    help: string;
    labelNames: string[];
    registers: Registry[];
  } {
    return { name, help, labelNames: [...labels], registers: [this.registry] };
  }
}
