export { Metrics } from './metrics.ts';
export { metricsRoute } from './metrics-route.ts';
