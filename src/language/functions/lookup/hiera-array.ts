import { hieraFunction } from './hiera-function.ts';

/** `hiera_array(key, default, override)`: all values that Hiera has for a key, in one array without duplicates. Older than `lookup`, which it warns to use. */
export const hieraArray = hieraFunction({ name: 'hiera_array', merge: 'unique' });
