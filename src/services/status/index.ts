export { HealthPort } from './health-port.ts';
export { processStatus } from './process-status.ts';
export { statusRoutes } from './routes.ts';
export { type Alert, type ServiceState, type StatusProvider, worstState } from './service-status.ts';
export { StatusRegistry, statesOfServer } from './status-registry.ts';
