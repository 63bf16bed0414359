export { type CaProxyOptions, caProxyRoutes } from './routes.ts';
