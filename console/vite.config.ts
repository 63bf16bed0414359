/** Builds the console into `dist/console/`: hashed names, nothing inline, so that the content security policy holds. */

import { join } from 'node:path';
import { defineConfig } from 'vite';

// oxlint-disable-next-line import/no-default-export -- vite reads the default export
export default defineConfig({
  root: import.meta.dirname,
  base: '/',
  appType: 'spa',
  logLevel: 'warn',
  css: { modules: { generateScopedName: '[name]-[local]-[hash:base64:4]' } },
  build: {
    outDir: join(import.meta.dirname, '..', 'dist', 'console'),
    emptyOutDir: true,
    target: 'es2022',
    // Data addresses and inline scripts are what the policy forbids.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      onLog(level, log, handle) {
        // What libraries say to frameworks with a server side.
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') handle(level, log);
      },
      input: {
        index: join(import.meta.dirname, 'index.html'),
        login: join(import.meta.dirname, 'login.html'),
        reset: join(import.meta.dirname, 'reset.html'),
      },
    },
  },
});
