import { expect, it } from 'vitest';
import { compileSnippet } from '../../../test/support/compile-snippet.ts';
import type { LanguageSettings } from '../../language/environment/index.ts';
import { renderedCatalog } from './rendered-catalog.ts';

// Recorded from Puppet 7.23 and OpenVox 8.28 with values of Ruby, which rich data has no words for, either.
const text = "Notify[a]['message'] contains a Regexp value. It will be converted to the String '/x/'";

function render(strict: LanguageSettings['strict']) {
  const { catalog } = compileSnippet("notify { 'a': message => /x/ }");
  const logs: unknown[] = [];
  const log = (...line: unknown[]) => logs.push(line);
  const rendered = JSON.parse(renderedCatalog(catalog, 'json', { strict, log }));
  return { message: rendered.resources.at(-1).parameters.message, logs };
}

it('writes a value that the format has no words for as text', () => {
  expect(render('off')).toEqual({ message: '/x/', logs: [] });
  expect(render('warning')).toEqual({
    message: '/x/',
    logs: [['warning', text, expect.objectContaining({ line: 1 })]],
  });
});

it('fails under strict=error', () => {
  expect(() => render('error')).toThrow(`Could not render to json: Evaluation Error: ${text} (line: 1)`);
});
