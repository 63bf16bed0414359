import { hieraFunction } from './hiera-function.ts';

/** `hiera(key, default, override)`: the first value that Hiera has for a key. Older than `lookup`, which it warns to use. */
export const hiera = hieraFunction({ name: 'hiera', merge: 'first' });
