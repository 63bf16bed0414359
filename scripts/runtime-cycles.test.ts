import { expect, test } from 'vitest';
import { commonFolder, runtimeCycles } from './runtime-cycles.ts';

test('finds files that import each other', () => {
  const texts = new Map([
    ['src/a/one.ts', "import { two } from '../b/two.ts';\n"],
    ['src/b/two.ts', "export { three } from './three.ts';\n"],
    ['src/b/three.ts', "import { type One, one } from '../a/one.ts';\n"],
    ['src/b/apart.ts', "import { two } from './two.ts';\n"],
  ]);

  const cycles = runtimeCycles(texts);

  expect(cycles).toEqual([['src/a/one.ts', 'src/b/three.ts', 'src/b/two.ts']]);
  expect(cycles.map(commonFolder)).toEqual(['src']);
});

test('imports of types alone make no cycle', () => {
  const texts = new Map([
    ['src/one.ts', "import { two } from './two.ts';\n"],
    [
      'src/two.ts',
      "import type { One } from './one.ts';\nimport {\n  type Other,\n  type One as First,\n} from './one.ts';\n",
    ],
  ]);

  expect(runtimeCycles(texts)).toEqual([]);
});
