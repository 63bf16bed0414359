export { caProxyRoutes } from './routes.ts';
