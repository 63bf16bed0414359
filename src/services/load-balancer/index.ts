export { renderHaproxyConfig } from './haproxy-config.ts';
