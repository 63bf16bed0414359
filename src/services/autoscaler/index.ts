/** Front door of the autoscaler. */

export { Autoscaler, type PoolServer } from './autoscaler.ts';
export { WorkMeter } from './measure/work-meter.ts';
export { FleetWork } from './number/fleet-work.ts';
export { autoscalerRoutes } from './routes.ts';
export { AutoscalerStore, autoscalerMigrations } from './store.ts';
