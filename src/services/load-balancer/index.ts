export { type HaproxyOptions, renderHaproxyConfig } from './haproxy-config.ts';
