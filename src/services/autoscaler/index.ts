/** Front door of the autoscaler. */

export { Autoscaler, type PoolServer } from './autoscaler.ts';
export type { Driver, JoinGrants } from './drivers/driver.ts';
export { execDriver } from './drivers/exec-driver.ts';
export { LocalDriver } from './drivers/local/local-driver.ts';
export { staticDriver } from './drivers/static-driver.ts';
export { WorkMeter } from './measure/work-meter.ts';
export { FleetWork } from './number/fleet-work.ts';
export { autoscalerRoutes } from './routes.ts';
export { AutoscalerStore, autoscalerMigrations } from './store.ts';
