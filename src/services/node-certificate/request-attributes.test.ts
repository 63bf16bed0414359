import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readRequestAttributes } from './request-attributes.ts';

let base: string;
let file: string;
beforeAll(() => {
  base = mkdtempSync(join(tmpdir(), 'bunraku-attributes-'));
  file = join(base, 'csr_attributes.yaml');
});
afterAll(() => rmSync(base, { recursive: true }));

test('are those that an agent would send', async () => {
  writeFileSync(
    file,
    'custom_attributes:\n  1.2.840.113549.1.9.7: secret\nextension_requests:\n  pp_role: web\n  pp_cost_center: 12\n',
  );

  expect(await readRequestAttributes(file)).toEqual({
    extensions: { pp_role: 'web', pp_cost_center: '12' },
    attributes: { '1.2.840.113549.1.9.7': 'secret' },
  });
});

test('an empty file is a file without attributes, and no file is none', async () => {
  writeFileSync(file, '---\n');

  expect(await readRequestAttributes(file)).toEqual({ extensions: {}, attributes: {} });
  expect(await readRequestAttributes(join(base, 'missing'))).toBeUndefined();
});

test.each([
  ['extensions:\n  pp_role: web\n', 'extensions'],
  ['extension_requests: [pp_role]\n', 'extension_requests'],
  ['extension_requests: {pp_role\n', 'cannot be used'],
])('names the file and what is wrong in %j', async (text, named) => {
  writeFileSync(file, text);

  const failure = readRequestAttributes(file);

  await expect(failure).rejects.toThrow(file);
  await expect(failure).rejects.toThrow(named);
});

test.skipIf(process.getuid?.() !== 0)(
  'names the user who must request the certificate when only root may read them',
  async () => {
    writeFileSync(file, '---\n', { mode: 0o600 });
    process.seteuid?.(65_534);
    try {
      await expect(readRequestAttributes(file)).rejects.toThrow(
        /csr_attributes.yaml cannot be used: this user may not read/,
      );
    } finally {
      process.seteuid?.(0);
    }
  },
);
