/**
 * Renders every ERB template below some directories here and in the installed Puppet, with generated variables,
 * and compares.
 *
 *   node test/erb/compare-with-ruby.ts [--layers L1,L2,L3] [--modulepath PATH] [--rounds N] [--seed N] [--only REGEXP]
 *     [--verbose] [--json] [DIRECTORY...]
 *
 * L1 is our own reading of templates: those that it gives up go to Ruby in production, and are counted. L2 is the
 * machine's Ruby, L3 the built-in one. A difference fails the run. `--json` adds a line with the counts.
 */

import { parseArgs } from 'node:util';
import { type Answer, askPuppet, type Request, requestsFor, templateFiles } from './puppet-renderings.ts';
import { type Rendered, withRendererByRuby } from './render-by-ruby.ts';
import { rendererHere } from './render-here.ts';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    layers: { type: 'string', default: 'L1' },
    modulepath: { type: 'string', default: '/usr/share/puppet/modules' },
    rounds: { type: 'string', default: '10' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
    verbose: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});
const { modulepath } = options;
const directories = positionals.length > 0 ? positionals : ['/usr/share/puppet/modules.available'];
const only = options.only === undefined ? undefined : new RegExp(options.only);

type Outcome = Rendered & { readonly givenUp?: string };

class Counts {
  readonly equal: string[] = [];
  readonly sameError: string[] = [];
  readonly givenUp = new Map<Request, string>();
  readonly givenUpError: string[] = [];
  readonly different: string[] = [];
}

const files = [...templateFiles(directories, only)];
const requests = files.flatMap((file) => requestsFor(file, Number(options.rounds), Number(options.seed)));
const answers = askPuppet(modulepath, requests);
const unusable = answers.filter((answer) => answer.unusable !== undefined).length;
console.log(`${files.length} templates, ${requests.length} renderings, ${unusable} not comparable`);
for (const layer of options.layers.split(',')) {
  const began = performance.now();
  const counts = new Counts();
  if (layer === 'L1') {
    const render = rendererHere();
    compareAll(counts, (request, answer) => {
      const rendering = render(request, answer);
      if (rendering.kind === 'given-up') return { givenUp: rendering.reason };
      return rendering.kind === 'failed' ? { error: rendering.message } : { text: rendering.text };
    });
  } else {
    withRendererByRuby(modulepath, layer === 'L3' ? 'wasm' : 'auto', (render) =>
      compareAll(counts, (request) => render(request)),
    );
  }
  print(layer, counts, performance.now() - began);
}

function compareAll(counts: Counts, render: (request: Request, answer: Answer) => Outcome): void {
  for (const [index, request] of requests.entries()) {
    const answer = answers[index] ?? { unusable: 'no answer' };
    if (answer.unusable === undefined) compare(counts, request, answer, render(request, answer));
  }
}

function compare(counts: Counts, request: Request, answer: Answer, ours: Outcome): void {
  const { file } = request;
  if (ours.givenUp !== undefined) {
    if (answer.error === undefined) counts.givenUp.set(request, ours.givenUp);
    else counts.givenUpError.push(file);
  } else if (answer.error === undefined && ours.text === answer.text) counts.equal.push(file);
  else if (answer.error !== undefined && plainMessage(ours.error) === plainMessage(answer.error))
    counts.sameError.push(file);
  else {
    counts.different.push(file);
    if (counts.different.length <= 10) report(request, ours, answer);
  }
}

/** Ruby adds suggestions to some messages, and prints objects without a text of their own with where they are. */
function plainMessage(message = ''): string {
  return message
    .replace(/\n+Did you mean\?[\s\S]*$/, '')
    .replace(/\n\n[\s\S]*\^+[\s\S]*$/, '')
    .replaceAll(/0x[0-9a-f]{8,16}/g, '0x...');
}

function report({ file, variables }: Request, ours: Outcome, answer: Answer): void {
  console.log(`DIFFERENT ${file}\n  variables ${JSON.stringify(variables)}`);
  const [left, right] = [ours, answer].map(({ error, text }) => (text ?? `error: ${error}`).split('\n'));
  const at = left?.findIndex((line, index) => line !== right?.[index]) ?? 0;
  console.log(
    `  here  ${JSON.stringify(left?.[at] ?? left?.at(-1))}\n  Ruby  ${JSON.stringify(right?.[at] ?? right?.at(-1))}`,
  );
}

function print(layer: string, counts: Counts, tookMs: number): void {
  const { different, equal, givenUp, givenUpError, sameError } = counts;
  const templatesGivenUp = new Map(Array.from(givenUp, ([{ file }, reason]) => [file, reason]));
  if (options.verbose) for (const [file, why] of templatesGivenUp) console.log(`given up: ${file}: ${why}`);
  console.log(
    `${layer}: ${equal.length} equal, ${sameError.length} with the same error, ` +
      `${givenUp.size} given up (in ${templatesGivenUp.size} templates), ` +
      `${givenUpError.length} given up where Ruby raises, ${different.length} different; ${tookMs.toFixed(0)} ms`,
  );
  if (options.json)
    console.log(
      JSON.stringify({
        layer,
        templates: files.length,
        renderings: requests.length,
        unusable,
        equal: equal.length,
        sameError: sameError.length,
        givenUp: givenUp.size + givenUpError.length,
        different: different.length,
      }),
    );
  if (different.length > 0 || equal.length === 0) process.exitCode = 1;
}
