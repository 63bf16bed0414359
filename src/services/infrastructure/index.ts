/** Front door of the infrastructure's register. */

export { CheckInClient } from './check-in.ts';
export { Departures, type NodeMemoryTerminus } from './departure.ts';
export { findPrimary, findSharedSettings } from './find-primary.ts';
export {
  type CandidateServer,
  type InstallationsTerminus,
  RemoteInstallations,
} from './installations.ts';
export { decodeJoinToken, joinSecret } from './join-token.ts';
export { protocol, protocolHeader } from './protocol.ts';
export { infrastructureRoutes, membershipRoute } from './routes.ts';
export { type KnownServer, type MemberGroupsTerminus, ServerRegister } from './server-register.ts';
export { InfrastructureStore, infrastructureMigrations } from './store.ts';
export { TokenRegister } from './token-register.ts';
export type { CheckIn, MemberRole } from './wire.ts';
