import { expect, it } from 'vitest';
import { withMemory } from './memory-limit.ts';
import { type WasmMemory, webAssembly } from './web-assembly.ts';

/** An empty custom section; a memory of one page at least, without a limit; the export `memory`. */
const bytes = Uint8Array.from(
  [
    [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    [0x00, 0x02, 0x01, 0x78],
    [0x05, 0x03, 0x01, 0x00, 0x01],
    [0x07, 0x0a, 0x01, 0x06, ...Buffer.from('memory'), 0x02, 0x00],
  ].flat(),
);

function memoryOf(module: Uint8Array): WasmMemory {
  const { Instance, Module } = webAssembly();
  return new Instance(new Module(module), {}).exports['memory'] as WasmMemory;
}

it('lets memory grow to the limit and no further', () => {
  const memory = memoryOf(withMemory(bytes, { maximumPages: 200, extraPages: 0 }).bytes);

  expect(memory.grow(199)).toBe(1);
  expect(memory.buffer.byteLength).toBe(200 * 65_536);
  expect(() => memory.grow(1)).toThrow(RangeError);
});

it('never takes what a module needs at least', () => {
  expect(memoryOf(withMemory(bytes, { maximumPages: 0, extraPages: 0 }).bytes).buffer.byteLength).toBe(
    65_536,
  );
});

it('adds pages after those of the module', () => {
  const changed = withMemory(bytes, { maximumPages: 200, extraPages: 3 });

  expect(changed.extraStart).toBe(65_536);
  expect(memoryOf(changed.bytes).buffer.byteLength).toBe(4 * 65_536);
});

it('wants a module that has a memory', () => {
  expect(() => withMemory(bytes.subarray(0, 8), { maximumPages: 1, extraPages: 0 })).toThrow(
    'no memory of its own',
  );
});
