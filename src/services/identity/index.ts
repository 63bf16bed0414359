/** Front door of proofs of identity. */

export { DocumentProvider } from './aws/document-provider.ts';
export { type GroupsTerminus, StsProvider, type StsTerminus } from './aws/sts-provider.ts';
export type { IdentityProvider } from './identity-provider.ts';
export { IdentityRegister } from './identity-register.ts';
export { type ClusterTerminus, TokenProvider } from './kubernetes/token-provider.ts';
export { ProofLimit } from './proof-limit.ts';
export { documentProof, stsProof } from './proofs/aws-proofs.ts';
export { obtainGrant } from './proofs/obtain-grant.ts';
export { podProof } from './proofs/pod-proof.ts';
export type { ProofMaker } from './proofs/proof-maker.ts';
export { Refusals } from './refusals.ts';
export { identityRoute, passedOnIdentityRoute } from './routes.ts';
export { IdentityStore, identityMigrations } from './store.ts';
