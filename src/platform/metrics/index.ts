export { type MetricDefinition, Metrics } from './metrics.ts';
export { metricsRoute } from './metrics-route.ts';
export type { RouteStatistic, RouteStatistics } from './route-statistics.ts';
