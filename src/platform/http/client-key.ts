import type { Identity } from './route.ts';

/** Under which name a client is counted: by address only where nothing else is known of it. */
export function clientKey(identity: Identity): string {
  switch (identity.kind) {
    case 'certificate':
      return `certname:${identity.certname}`;
    case 'user':
      return `user:${identity.id}`;
    case 'anonymous':
      return `address:${identity.address}`;
    default:
      return identity satisfies never;
  }
}
