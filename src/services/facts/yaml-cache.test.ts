import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { YamlFactCache } from './yaml-cache.ts';

const values = {
  a: 'x: y',
  b: 1,
  d: { e: [true, null, ''] },
  n: 'two\nlines\n',
  t: 'yes',
  f: '1.0',
};

/** What Puppet 7.23 writes of these facts: `YAML.dump(Puppet::Node::Facts.new(...))`. */
const written = `--- !ruby/object:Puppet::Node::Facts
name: n.example.com
values:
  a: 'x: y'
  b: 1
  c: 1.5
  d:
    e:
    - true
    -
    - ''
  "n": |
    two
    lines
  t: 'yes'
  f: '1.0'
timestamp: '2026-11-22T10:00:00.123000000Z'
expiration: '2026-11-22T10:30:00.123000000Z'
`;

test('facts are written as Ruby writes them, under the name of their node and no other', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'bunraku-facts-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const cache = new YamlFactCache(join(directory, 'yaml'));
  const exactValues =
    '{"a":"x: y","b":1,"c":1.5,"d":{"e":[true,null,""]},"n":"two\\nlines\\n","t":"yes","f":"1.0"}';

  await cache.save({
    certname: 'n.example.com',
    values,
    exactValues,
    producedAt: new Date('2026-11-22T10:00:00.123Z'),
    expiresAt: new Date('2026-11-22T10:30:00.123Z'),
  });

  expect(readFileSync(join(directory, 'yaml', 'facts', 'n.example.com.yaml'), 'utf8')).toBe(written);
  await expect(cache.save({ certname: '../n.example.com', values })).rejects.toThrow('Invalid node name');
});
