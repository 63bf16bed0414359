export { renderDnsZone, type SrvSite } from './dns-zone.ts';
export { type BalancedServer, renderHaproxyConfig } from './haproxy-config.ts';
export { type FollowedServer, HaproxyFollower } from './haproxy-follower.ts';
export { HaproxySocket } from './haproxy-socket.ts';
export { type ListedServer, loadBalancerRoutes } from './routes.ts';
