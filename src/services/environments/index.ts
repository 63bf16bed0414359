export { EnvironmentRegistry } from './environment-registry.ts';
export { environmentRoutes } from './routes.ts';
export { declaredLevel, type OuterFiles, type ServedEnvironment } from './served-environment.ts';
