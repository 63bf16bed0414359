export { renderDnsZone, type SrvServer } from './dns-zone.ts';
export { connectionsFor, renderHaproxyConfig } from './haproxy-config.ts';
export { type FollowedServer, HaproxyFollower } from './haproxy-follower.ts';
export { HaproxySocket } from './haproxy-socket.ts';
export { type ListedServer, loadBalancerRoutes } from './routes.ts';
