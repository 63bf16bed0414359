import { dataFunction } from './data-function.ts';

/** `json_data(options, context)`: the hash in a JSON file; the backend that Hiera uses by this name. */
export const jsonData = dataFunction('json_data');
