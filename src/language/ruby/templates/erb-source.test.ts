import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { erbProgram, TEXT_CALL } from './erb-source.ts';

/** Templates with the code that Ruby's ERB made of them, without the first line. */
const recorded = JSON.parse(
  readFileSync(new URL('recorded/erb-sources.json', import.meta.url), 'utf8'),
) as readonly (readonly [template: string, source: string])[];

test.for(recorded)('the template %j becomes the code that ERB makes of it', ([template, source]) => {
  const { source: ours, texts } = erbProgram(template);

  const asRuby = ours.replaceAll(
    new RegExp(`${TEXT_CALL}\\((\\d+)\\)`, 'g'),
    (_call, index: string) => `_erbout.<< ${dumped(texts[Number(index)] ?? '')}.freeze`,
  );
  expect(asRuby).toBe(source.replace(/(?:; )?_erbout$/, ''));
});

/** `String#dump` of bytes. */
function dumped(text: string): string {
  const escaped = Array.from(new TextEncoder().encode(text), (byte) => {
    const character = String.fromCharCode(byte);
    if (byte > 0x7e) return `\\x${byte.toString(16).toUpperCase()}`;
    return { '\n': '\\n', '\t': '\\t', '\r': '\\r', '"': '\\"', '\\': '\\\\' }[character] ?? character;
  });
  return `"${escaped.join('')}"`;
}
