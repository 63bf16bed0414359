/** The colours of the console beside what the guidelines ask of them (WCAG 2.2, 1.4.3 and 1.4.11). */

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const text = readFileSync(new URL('../../styles/tokens.css', import.meta.url), 'utf8');
const tokens = new Map(
  Array.from(
    text.matchAll(/--([\w-]+): light-dark\((#\w{6}), (#\w{6})\);/g),
    ([, name = '', light = '', dark = '']) => [name, { light, dark }],
  ),
);

type Theme = 'light' | 'dark';

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(front: string, back: string, theme: Theme): number {
  const [a, b] = [front, back].map((name) => luminance(tokens.get(name)?.[theme] ?? ''));
  const [lighter, darker] = [Math.max(a ?? 0, b ?? 0), Math.min(a ?? 0, b ?? 0)];
  return (lighter + 0.05) / (darker + 0.05);
}

const grounds = ['background', 'subtle', 'inset'];
const words = ['text', 'muted', 'accent', 'failed', 'corrective', 'intentional', 'unchanged', 'noop'];

test.each(['light', 'dark'] as const)('words can be read on every ground of the %s theme', (theme) => {
  for (const word of words)
    for (const ground of grounds)
      expect(contrast(word, ground, theme), `${word} on ${ground}`).toBeGreaterThanOrEqual(4.5);
});

test.each(['light', 'dark'] as const)(
  'words can be read on their tints, and on the accent, in the %s theme',
  (theme) => {
    for (const status of ['failed', 'corrective', 'intentional', 'unchanged', 'noop'])
      expect(contrast(status, `${status}-tint`, theme), status).toBeGreaterThanOrEqual(4.5);
    expect(contrast('on-accent', 'accent', theme)).toBeGreaterThanOrEqual(4.5);
  },
);

test.each(['light', 'dark'] as const)('fields have an edge that can be seen in the %s theme', (theme) => {
  for (const ground of grounds) expect(contrast('field', ground, theme), ground).toBeGreaterThanOrEqual(3);
});
