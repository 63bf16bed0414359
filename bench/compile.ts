/**
 * `npm run bench -- compile [--only REGEXP] [--seconds N] [--catalogs N]`: what catalogs cost, in time of the
 * processor, and whether memory stays as it is.
 *
 * - cold: nothing parsed, nothing read; what the first node of a server costs;
 * - new version: the trees of all files are in the cache; what the first node after a deploy costs;
 * - warm: every node after that. The heading figure: evaluated and serialised.
 *
 * Cold and new versions are measured after the code of the compiler itself is warm. Where code in Ruby runs beside the
 * compiler, the time of its process is not counted, that of talking to it is.
 */

import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { renderCatalog } from '../src/language/catalog/index.ts';
import { ParseCache } from '../src/language/environment/index.ts';
import { type CompileRequest, compileCatalog } from '../src/language/evaluator/index.ts';
import { endRuby } from '../test/support/ruby.ts';
import { exampleSubject, fleetSubjects, generatedSubjects, type Subject } from './compile-subjects.ts';

const FORMAT = 'application/vnd.puppet.rich+json';
const rounds = 5;

export async function measureCompile(): Promise<void> {
  const { values } = parseArgs({
    args: process.argv.slice(3),
    options: {
      only: { type: 'string', default: '' },
      seconds: { type: 'string', default: '2' },
      catalogs: { type: 'string', default: '10000' },
    },
  });
  const { directory, subjects: generated } = generatedSubjects();
  try {
    const only = new RegExp(values.only);
    const subjects = [...fleetSubjects(), exampleSubject(), ...generated].filter(({ name }) =>
      only.test(name),
    );
    console.log('milliseconds of the processor for a catalog: median of the rounds');
    for (const subject of subjects) measureSubject(subject, Number(values.seconds));
    if (values.catalogs !== '0') measureMemory(values.catalogs);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function measureSubject({ name, open }: Subject, seconds: number): void {
  const cache = new ParseCache();
  const requests = open(cache);
  const resources = requests.reduce(
    (sum, request) => sum + compileCatalog(request).catalog.resources.length,
    0,
  );
  const warm = measureWarm(requests, seconds);
  const perNode = (milliseconds: number): string => (milliseconds / requests.length).toFixed(2);
  const cold = median(rounds, () => measureFirst(() => open(new ParseCache())));
  const fresh = median(rounds, () => measureFirst(() => open(cache)));
  const total = warm.evaluate + warm.render;
  console.log(`${name}: ${Math.round(resources / requests.length)} resources in a catalog`);
  console.log(`  cold ${perNode(cold)}, new version ${perNode(fresh)}, warm ${perNode(total)}`);
  console.log(`  warm: evaluated in ${perNode(warm.evaluate)}, serialised in ${perNode(warm.render)}`);
  console.log(`  warm: ${Math.round((1000 * requests.length) / total)} catalogs a second of the processor`);
}

/** Milliseconds for all requests once, the environments included. */
function measureFirst(open: () => readonly CompileRequest[]): number {
  let requests: readonly CompileRequest[] = [];
  const milliseconds = cpuMs(() => {
    requests = open();
    compileAll(requests);
  });
  for (const { environment } of requests) endRuby(environment);
  return milliseconds;
}

/** Milliseconds for all requests once: the median over as many rounds as fit into the time. */
function measureWarm(requests: readonly CompileRequest[], seconds: number) {
  const evaluate: number[] = [];
  const render: number[] = [];
  // The compiler of JavaScript needs some rounds until it knows what is hot.
  const until = performance.now() + 2 * seconds * 1000;
  const half = performance.now() + seconds * 1000;
  while (performance.now() < until || render.length < rounds) {
    let evaluated = 0;
    let rendered = 0;
    for (const request of requests) {
      let compiled: ReturnType<typeof compileCatalog> | undefined;
      evaluated += cpuMs(() => {
        compiled = compileCatalog(request);
      });
      rendered += cpuMs(() => compiled && renderCatalog(compiled.catalog, FORMAT));
    }
    if (performance.now() < half) continue;
    evaluate.push(evaluated);
    render.push(rendered);
  }
  return { evaluate: middle(evaluate), render: middle(render) };
}

/** In a process of its own: what else was compiled here must not count. */
function measureMemory(catalogs: string): void {
  const script = join(import.meta.dirname, 'compile-memory.ts');
  execFileSync(process.execPath, [script, catalogs], { stdio: 'inherit' });
}

function compileAll(requests: readonly CompileRequest[]): void {
  for (const request of requests) renderCatalog(compileCatalog(request).catalog, FORMAT);
}

function cpuMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function median(times: number, measure: () => number): number {
  return middle(Array.from({ length: times }, measure));
}

function middle(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
