import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { LogFields, Logger } from '../log/index.ts';
import { loadOidNames, puppetExtension, puppetExtensions } from './index.ts';

let base: string;
let lines: string[];

const record = (_: LogFields, message: string) => void lines.push(message);
const log: Logger = {
  error: record,
  warn: record,
  info: record,
  debug: record,
  isWriting: () => true,
  child: () => log,
};

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'bunraku-oids-'));
});

afterAll(() => rm(base, { recursive: true }));

async function load(text: string) {
  lines = [];
  const file = join(base, 'custom_trusted_oid_mapping.yaml');
  await writeFile(file, text);
  return loadOidNames(file, log);
}

test("a site's own names are used in both directions, beside Puppet's", async () => {
  const names = await load(`---
oid_mapping:
  '1.3.6.1.4.1.34380.1.2.1.1':
    shortname: myshortname
    longname: My Long Name
  1.3.6.1.4.1.34380.1.2.1.2:
    shortname: other
`);
  const extensions = [puppetExtension(names.oid('myshortname'), 'a'), puppetExtension('pp_role', 'b')];

  expect(puppetExtensions(extensions, undefined, names)).toEqual({ myshortname: 'a', pp_role: 'b' });
  expect(puppetExtensions(extensions)).toEqual({ '1.3.6.1.4.1.34380.1.2.1.1': 'a', pp_role: 'b' });
  expect(names.oid('other')).toBe('1.3.6.1.4.1.34380.1.2.1.2');
  expect(lines).toEqual([]);
});

test.each([
  ['oid_mapping: { nonsense: { shortname: a } }', 'entry of the OID mapping is not usable'],
  ['oid_mapping: { 1.2.3: a }', 'entry of the OID mapping is not usable'],
  ['other: 1', 'OID mapping has no oid_mapping'],
  ['a: [', 'OID mapping cannot be read'],
])('the file %j maps nothing, and the log says so', async (text, message) => {
  const names = await load(text);

  expect(names.name('1.2.3')).toBe('1.2.3');
  expect(lines).toEqual([message]);
});

test('a file that is not there maps nothing', async () => {
  const names = await loadOidNames(join(base, 'nosuch.yaml'), log);

  expect(names.oid('pp_role')).toBe('1.3.6.1.4.1.34380.1.1.13');
});
