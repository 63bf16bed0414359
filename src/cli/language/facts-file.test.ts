import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readFactsFile, readText } from './facts-file.ts';

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'bunraku-facts-'));
});
afterAll(() => rmSync(directory, { recursive: true }));

function fileOf(name: string, text: string): string {
  const file = join(directory, name);
  writeFileSync(file, Buffer.from(text, 'latin1'));
  return file;
}

describe('files with bytes that are not UTF-8', () => {
  it('keep them as escapes where they are facts in JSON', () => {
    expect(readFactsFile(fileOf('f.json', '{"a":"caf\xe9"}')).text).toBe('{"a":"caf\\udce9"}');
  });

  it('are refused as YAML and as text', () => {
    const file = fileOf('f.yaml', 'a: caf\xe9');

    expect(() => readFactsFile(file)).toThrow(
      `(${file}): incomplete UTF-8 octet sequence at line 1 column 1`,
    );
    expect(() => readText(file)).toThrow(`${file} is not UTF-8`);
  });
});
