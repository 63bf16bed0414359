import { dataFunction } from './data-function.ts';

/** `yaml_data(options, context)`: the hash in a YAML file; the backend that Hiera uses by this name. */
export const yamlData = dataFunction('yaml_data');
