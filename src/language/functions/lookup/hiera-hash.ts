import { hieraFunction } from './hiera-function.ts';

/** `hiera_hash(key, default, override)`: the hashes that Hiera has for a key, merged. Older than `lookup`, which it warns to use. */
export const hieraHash = hieraFunction({ name: 'hiera_hash', merge: 'hash' });
