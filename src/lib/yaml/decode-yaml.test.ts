import { spawnSync } from 'node:child_process';
import { describe, expect, it, test } from 'vitest';
import { decodeYaml } from './decode-yaml.ts';

/** As libyaml says it, which the next test asks. */
const broken: readonly (readonly [string, string])[] = [
  ['k: caf\xe9\nx: 1', 'invalid trailing UTF-8 octet'],
  ['k: caf\xe9', 'incomplete UTF-8 octet sequence'],
  ['# \xff\nk: 1', 'invalid leading UTF-8 octet'],
  ['\xc0\xaf: 1', 'invalid length of a UTF-8 sequence'],
  ['k: \xed\xa0\x80', 'invalid Unicode character'],
  ['k: \xf5\x80\x80\x80', 'invalid Unicode character'],
];

describe('decodeYaml', () => {
  it('leaves out a byte order mark', () => {
    expect(decodeYaml(Buffer.from('\ufeffk: ü'))).toBe('k: ü');
  });

  test.each(broken)('refuses %j', (bytes, problem) => {
    expect(() => decodeYaml(Buffer.from(bytes, 'latin1'))).toThrow(`${problem} at line 1 column 1`);
  });

  it('says what Ruby says (skipped where it is missing)', (context) => {
    const script = `require 'json'; require 'yaml'
puts JSON.dump(JSON.parse(STDIN.read).map { |codes| begin; YAML.parse(codes.pack('C*').force_encoding('UTF-8')); nil; rescue Psych::SyntaxError => e; e.message; end })`;
    const input = JSON.stringify(broken.map(([bytes]) => [...Buffer.from(bytes, 'latin1')]));
    const { status, stdout } = spawnSync('ruby', ['-e', script], { encoding: 'utf8', input });
    if (status !== 0) return context.skip();

    const said = JSON.parse(stdout) as readonly string[];

    expect(said).toEqual(broken.map(([, problem]) => `(<unknown>): ${problem} at line 1 column 1`));
  });
});
