export { EnvironmentRegistry } from './environment-registry.ts';
export { environmentRoutes } from './routes.ts';
export type { ServedEnvironment } from './served-environment.ts';
