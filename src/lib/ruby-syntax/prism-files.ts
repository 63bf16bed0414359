import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { PrismFiles } from './parser.ts';

/** Where prism is: beside the bundle, or among the installed packages. The only place that knows. */
export function prismFiles(): PrismFiles {
  if (import.meta.url.endsWith('.js')) return { script: beside('prism.js'), wasm: beside('prism.wasm') };
  const require = createRequire(import.meta.url);
  return {
    script: require.resolve('@ruby/prism/src/parsePrism.js'),
    wasm: require.resolve('@ruby/prism/src/prism.wasm'),
  };
}

function beside(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}
