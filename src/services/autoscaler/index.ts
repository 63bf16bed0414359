/** Front door of the autoscaler. */

export { Autoscaler, type PoolServer } from './autoscaler.ts';
export { groupDriver } from './drivers/aws/group-driver.ts';
export type { Driver, JoinGrants } from './drivers/driver.ts';
export { execDriver } from './drivers/exec-driver.ts';
export { withKeptInventory } from './drivers/kept-inventory.ts';
export { podDriver } from './drivers/kubernetes/pod-driver.ts';
export { LocalDriver } from './drivers/local/local-driver.ts';
export { staticDriver } from './drivers/static-driver.ts';
export { externalMetricRoutes } from './external-metric.ts';
export { CapacityPublisher } from './instance/capacity-publisher.ts';
export { calledFromWarmPool, InstanceWatch } from './instance/instance-watch.ts';
export { WorkMeter } from './measure/work-meter.ts';
export { FleetWork } from './number/fleet-work.ts';
export type { ServerFact } from './pool/member.ts';
export { Pool } from './pool/pool.ts';
export { PoolStore } from './pool/pool-store.ts';
export { autoscalerRoutes } from './routes.ts';
export { AutoscalerStore, autoscalerMigrations } from './store.ts';
