/** `npm run bench -- ruby`: what a call into Ruby costs, in the machine's Ruby (L2) and in the built-in one (L3). */

import { readFileSync } from 'node:fs';
import {
  DEFAULT_COMMANDS,
  OwnRubyImages,
  type Ruby,
  RubyError,
  type RubyPeer,
} from '../src/platform/ruby/index.ts';
import { startedRuby } from '../test/support/started-ruby.ts';

const INSTANCES = 4;
const ROUND_MS = 1500;
const DEPTH = 10;

const images = new OwnRubyImages();

export function measureRuby(): Promise<void> {
  const began = performance.now();
  images.get();
  console.log(`image of the built-in Ruby, once for a process: ${(performance.now() - began).toFixed(0)} ms`);
  measureLayer('L2, ruby of this machine', DEFAULT_COMMANDS);
  measureLayer('L3, built in', []);
  return Promise.resolve();
}

function measureLayer(title: string, commands: readonly string[]): void {
  const before = residentMiB('self');
  const starts: number[] = [];
  const rubies = Array.from({ length: INSTANCES }, () => {
    const began = performance.now();
    const ruby = startedRuby(commands, images);
    render(ruby, 1, 'text');
    starts.push(performance.now() - began);
    return ruby;
  });
  console.log(`\n${title}: ${rubies[0]?.identity.description ?? ''}`);
  console.log(`  start to first answer      ${starts.map((time) => time.toFixed(0)).join(', ')} ms`);
  for (const ruby of rubies) for (let count = 0; count < 500; count += 1) renderAgain(ruby, 1);
  const own = rubies.flatMap(({ identity: { pid } }) =>
    pid === undefined ? [] : [residentMiB(String(pid))],
  );
  const sum = own.length > 0 ? own.reduce((left, right) => left + right) : residentMiB('self') - before;
  console.log(`  resident memory of each    ${(sum / INSTANCES).toFixed(1)} MiB`);
  const [ruby] = rubies;
  if (ruby !== undefined) for (const [name, round] of roundsOf(ruby)) print(name, round);
  for (const each of rubies) each.close();
}

/** What is measured, each as one round. */
function roundsOf(ruby: Ruby): readonly (readonly [name: string, round: () => void])[] {
  const hash = Object.fromEntries(
    Array.from({ length: 100 }, (_, index) => [`key ${index}`, `value ${index}`.repeat(3)]),
  );
  const variables = JSON.stringify({ hash });
  render(ruby, 2, '<%= Puppet.version %>');
  render(ruby, 3, '<% raise "no" rescue 0 %>');
  render(ruby, 4, '<% @hash.size %>', variables);
  define(ruby, 5, '<% raise "no" %>');
  return [
    ['call and answer', () => renderAgain(ruby, 1)],
    ['with one question', () => renderAgain(ruby, 2)],
    [`${DEPTH} calls deep`, () => renderDeep(ruby, 2)],
    ['a hash of 5 KB to Ruby', () => renderAgain(ruby, 4, variables)],
    ['rescued in Ruby', () => renderAgain(ruby, 3)],
    ['raised to the caller', () => expectError(() => renderAgain(ruby, 5))],
  ];
}

const peer: RubyPeer = {
  answer: () => '"7.23.0"',
  refuse: (error) => JSON.stringify(['ArgumentError', String(error), null, null]).slice(1, -1),
};

function define(ruby: Ruby, id: number, text: string): void {
  ruby.call(`"template",1,1,1,${id},null,${JSON.stringify(text)}`, peer);
}

function render(ruby: Ruby, id: number, text: string, variables = '{}'): void {
  define(ruby, id, text);
  renderAgain(ruby, id, variables);
}

function renderAgain(ruby: Ruby, id: number, variables = '{}', answering = peer): unknown {
  return ruby.call(`"render",1,1,1,${id},null,${variables}`, answering);
}

function renderDeep(ruby: Ruby, id: number): void {
  let depth = 1;
  const nesting: RubyPeer = {
    ...peer,
    answer: () => {
      if (depth === DEPTH) return '"bottom"';
      depth += 1;
      return JSON.stringify(renderAgain(ruby, id, '{}', nesting));
    },
  };
  renderAgain(ruby, id, '{}', nesting);
}

function expectError(run: () => unknown): void {
  try {
    run();
  } catch (error) {
    if (error instanceof RubyError) return;
    throw error;
  }
  throw new Error('nothing was raised');
}

function print(name: string, round: () => void): void {
  const end = performance.now() + ROUND_MS;
  const times: number[] = [];
  while (performance.now() < end) {
    const began = performance.now();
    round();
    times.push((performance.now() - began) * 1000);
  }
  times.sort((left, right) => left - right);
  const at = (share: number) => (times[Math.floor(times.length * share)] ?? 0).toFixed(0);
  console.log(`  ${name.padEnd(26)} ${at(0.5)} µs (best tenth ${at(0.1)}, worst tenth ${at(0.9)})`);
}

function residentMiB(process: string): number {
  const [, kibibytes = '0'] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${process}/status`, 'utf8')) ?? [];
  return Number(kibibytes) / 1024;
}
