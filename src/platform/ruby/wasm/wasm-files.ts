import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

export interface WasmFiles {
  /** Ruby with its standard library. */
  readonly module: string;
  /** The thread that it runs in. */
  readonly rubyWorker: URL;
  /** The thread in which the image is made. */
  readonly imageWorker: URL;
}

/** Where ruby.wasm is: beside the bundle, or among the installed packages. The only place that knows. */
export function wasmFiles(): WasmFiles {
  if (import.meta.url.endsWith('.js'))
    return {
      module: fileURLToPath(beside('ruby.wasm')),
      rubyWorker: beside('wasm-ruby-worker.js'),
      imageWorker: beside('wasm-image-worker.js'),
    };
  const require = createRequire(import.meta.url);
  return {
    module: require.resolve('@ruby/4.0-wasm-wasi/dist/ruby+stdlib.wasm'),
    rubyWorker: beside('wasm-ruby-worker.ts'),
    imageWorker: beside('wasm-image-worker.ts'),
  };
}

function beside(name: string): URL {
  return new URL(`./${name}`, import.meta.url);
}
