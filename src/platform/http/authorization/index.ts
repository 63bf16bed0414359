export { Authorizer, forbidden } from './authorize.ts';
export { defaultRules } from './default-rules.ts';
export { type Authorization, AuthorizationError, readRules } from './read-rules.ts';
