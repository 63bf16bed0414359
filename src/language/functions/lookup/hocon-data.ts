import { dataFunction } from './data-function.ts';

/** `hocon_data(options, context)`: the hash in a HOCON file; the backend that Hiera uses by this name. */
export const hoconData = dataFunction('hocon_data');
