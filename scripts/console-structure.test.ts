import { expect, test } from 'vitest';
import { consoleFindings, wireFindings } from './console-structure.ts';

const ask = (file: string, text = '', imports: readonly string[] = []) =>
  consoleFindings({ file: `console/src/${file}`, text, imports });

test('imports go one way', () => {
  expect(ask('pages/nodes/page.tsx', '', ['../../features/status.tsx', './search.ts', 'react'])).toEqual([]);
  expect(ask('app/router.tsx', '', ['../pages/nodes/page.tsx'])).toEqual([]);
  expect(ask('lib/time.ts', '', ['../ui/age.tsx'])).toHaveLength(1);
  expect(ask('ui/age.tsx', '', ['../api/nodes.ts'])).toHaveLength(1);
  expect(ask('features/status.tsx', '', ['../pages/nodes/page.tsx'])).toHaveLength(1);
  expect(ask('api/nodes.ts', '', ['../../../src/lib/csv.ts'])).toHaveLength(1);
});

test('types of an API come from its wire file, and nothing else of the server', () => {
  const wire = '../../../src/services/console/wire.ts';

  expect(ask('api/nodes.ts', `import type { NodePage } from '${wire}';`, [wire])).toEqual([]);
  expect(ask('api/nodes.ts', `import { NodePageWire } from '${wire}';`, [wire])).toHaveLength(1);
  expect(ask('api/nodes.ts', '', ['../../../src/services/console/routes.ts'])).toHaveLength(1);
});

test('a wire file that pages use imports nothing but zod and what knows nothing of the server', () => {
  const file = 'src/services/console/wire.ts';

  expect(wireFindings({ file, imports: ['zod', '../../lib/json.ts'] })).toEqual([]);
  expect(wireFindings({ file, imports: ['./routes.ts'] })).toHaveLength(1);
});

test('pages import no other page', () => {
  expect(ask('pages/nodes/page.tsx', '', ['../node/queries.ts'])).toEqual([
    'imports console/src/pages/node/queries.ts: pages are strangers, share by features/',
  ]);
});

test('only the api fetches', () => {
  expect(ask('api/client.ts', "fetch('/x')")).toEqual([]);
  expect(ask('ui/age.tsx', "fetch('/x')")).toEqual(['calls fetch: that is for api/']);
  expect(ask('ui/age.tsx', 'refetch()')).toEqual([]);
});

test('text is never markup', () => {
  expect(ask('ui/age.tsx', 'node.innerHTML = text')).toHaveLength(1);
  expect(ask('ui/age.tsx', '<p dangerouslySetInnerHTML={{ __html }} />')).toHaveLength(1);
});

test('colours have names', () => {
  expect(ask('ui/age.module.css', 'a { color: #fff; }')).toHaveLength(1);
  expect(ask('ui/age.module.css', 'a { color: var(--text); }')).toEqual([]);
  expect(
    consoleFindings({ file: 'console/styles/tokens.css', text: ':root { --text: #fff; }', imports: [] }),
  ).toEqual([]);
});
