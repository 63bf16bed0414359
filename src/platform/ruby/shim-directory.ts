import { fileURLToPath } from 'node:url';

/** Where the Ruby side lies: beside the bundle, or among the sources. The only place that knows. */
export function shimDirectory(): string {
  const isBundle = import.meta.url.endsWith('.js');
  return fileURLToPath(new URL(isBundle ? './ruby-shim' : './shim', import.meta.url));
}
