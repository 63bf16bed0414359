import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

test('a client for the web is not loaded', () => {
  const module = JSON.stringify(new URL('node-http.ts', import.meta.url));
  const script = `await import(${module}); console.log(process.moduleLoadList.join(' '))`;

  const loaded = execFileSync(process.execPath, ['--input-type=module', '--eval', script]).toString('utf8');

  expect(loaded).toContain('NativeModule http');
  expect(loaded).not.toContain('undici');
});
