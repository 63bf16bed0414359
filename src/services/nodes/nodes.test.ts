import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ProcessLauncher, startProcess } from '../../platform/processes/index.ts';
import { decodeClassification } from './classification.ts';
import { ExecNodes } from './node-terminus.ts';
import { TrustedExternal } from './trusted-external.ts';

let directory: string;
const { signal } = new AbortController();
const options = {
  start: startProcess,
  timeoutMs: 300_000,
  environment: { PATH: '/usr/bin:/bin', HOME: '/nowhere' },
};

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'nodes-'));
});
afterEach(async () => {
  await rm(directory, { recursive: true, force: true });
});

async function program(name: string, script: string): Promise<string> {
  const file = join(directory, name);
  await writeFile(file, `#!/bin/sh\n${script}\n`);
  await chmod(file, 0o755);
  return file;
}

/** A shell's words for leaving a process behind that keeps its output open until the program is removed. */
const leaving = '(while test -e "$0"; do sleep 0.5; done) &';

/** What a classifier that prints this makes of the node `n1`. */
async function classify(answer: string, status = 0) {
  await writeFile(join(directory, 'answer'), answer);
  const enc = await program('enc', `cat ${directory}/answer; echo noise >&2; exit ${status}`);
  return await new ExecNodes(enc, options).find({ certname: 'n1' }, signal);
}

describe('an external node classifier', () => {
  it('gives classes, parameters and the environment', async () => {
    const answer = await classify(
      'classes: {a: {p: 2}, b: }\nparameters: {x: 1, y: 2.0}\nenvironment: staging\n',
    );

    expect(answer).toEqual({
      classes: { a: { p: 2 }, b: null },
      listsClasses: false,
      parameters: { x: 1, y: 2 },
      exact: '{"classes":{"a":{"p":2},"b":null},"parameters":{"x":1,"y":2.0}}',
      environment: 'staging',
    });
  });

  it('may list classes, and write names as symbols', async () => {
    expect(await classify(':classes: [a, b]\nother: 1\n')).toMatchObject({
      classes: { a: null, b: null },
      listsClasses: true,
    });
  });

  it('may list pairs; texts and symbols among them name nothing', async () => {
    expect(await classify('- [classes, [a]]\n- [parameters, {x: 1}]\n- classes\n- :s\n')).toMatchObject({
      classes: { a: null },
      parameters: { x: 1 },
    });
    expect(await classify('- classes\n- {0: x}\n')).toMatchObject({ classes: {}, parameters: {} });
  });

  it('does not decide on the environment by a parameter', async () => {
    const answer = await classify('parameters: {environment: staging}\n');

    expect(answer).toMatchObject({ parameters: {} });
    expect(answer?.environment).toBeUndefined();
  });

  it('that says nothing does not know the node', async () => {
    expect(await classify(' \n')).toBeUndefined();
  });

  // Each level of keys in keys would double the text.
  it('refuses keys in keys', () => {
    expect(() => decodeClassification('n1', `parameters:\n  ${'? '.repeat(40)}a: 1\n`)).toThrow(
      'Could not load external node results for n1: a key may not contain a map',
    );
  });

  // Recorded from Puppet 7.23; without the excerpts of Ruby's source.
  it.each([
    ['oops\n', 1, /^Failed to find n1 via exec: Execution of '\S+\/enc n1' returned 1: oops$/],
    [
      'some: [broken\n',
      0,
      /^Could not load external node results for n1: \(<unknown>\): did not find expected ',' or '\]' while parsing a flow sequence at line 1 column 7$/,
    ],
    ['classes: [a, {b: {x: 1}}]\n', 0, /^Invalid tag '\{"b"=>\{"x"=>1\}\}'$/],
    ['classes: [~]\n', 0, /^undefined method `\[\]' for nil:NilClass$/],
    ['1: 2\n', 0, /^Could not load external node results for n1: key is a Integer, not a string or symbol$/],
    [
      '--- foo\n',
      0,
      /^Could not load external node results for n1: undefined method `inject' for "foo":String$/,
    ],
    [
      'a: 2020-01-01\n',
      0,
      /^Could not load external node results for n1: \(<unknown>\): Tried to load unspecified class: Date$/,
    ],
    ['parameters: [x]\n', 0, /^no implicit conversion of String into Integer$/],
    ['classes: a\n', 0, /^undefined method `collect' for "a":String$/],
    ['classes: a b\n', 0, /^Invalid tag 'a b'$/],
    ['classes: :s\n', 0, /^undefined method `collect' for :s:Symbol$/],
    ['classes: {~: {}}\n', 0, /^undefined method `\[\]' for nil:NilClass$/],
    ['classes: {a: 5}\n', 0, /^undefined method `empty\?' for 5:Integer$/],
    ['classes: {a: [[1]]}\n', 0, /^undefined method `name' for \[1\]:Array$/],
    ['parameters: 5\n', 0, /^undefined method `\[\]=' for 5:Integer$/],
    ['environment: [a]\n', 0, /^undefined method `name' for \["a"\]:Array$/],
    ['classes: {a: x}\n', 0, /^undefined method `each' for "x":String$/],
    ['parameters: text\n', 0, /^string not matched$/],
    ['5.5\n', 0, /^Could not load external node results for n1: undefined method `inject' for 5.5:Float$/],
    ['true\n', 0, /n1: undefined method `inject' for true:TrueClass$/],
    ['? [a]\n: b\n', 0, /n1: key is a Array, not a string or symbol$/],
    ['- [[x], 1]\n', 0, /n1: key is a Array, not a string or symbol$/],
    ['- []\n', 0, /n1: key is a NilClass, not a string or symbol$/],
    ['- ""\n', 0, /n1: key is a NilClass, not a string or symbol$/],
    ['- {a: 1}\n', 0, /n1: key is a NilClass, not a string or symbol$/],
    ['- 5\n', 0, /n1: key is a Integer, not a string or symbol$/],
    ['- ~\n', 0, /n1: undefined method `\[\]' for nil:NilClass$/],
    ['- 5.5\n', 0, /n1: undefined method `\[\]' for 5.5:Float$/],
  ])('that answers %j with status %d fails as the reference does', async (answer, status, message) => {
    await expect(classify(answer, status)).rejects.toThrow(message);
  });

  it('must be set, be an absolute path, and exist', async () => {
    const find = (command: string) => new ExecNodes(command, options).find({ certname: 'n1' }, signal);

    await expect(find('none')).rejects.toThrow(
      "You must set the 'external_nodes' parameter to use the external node terminus",
    );
    await expect(find('enc')).rejects.toThrow('You must set the exec parameter to a fully qualified command');
    await expect(find('/nonexist')).rejects.toThrow(
      "Failed to find n1 via exec: Execution of '/nonexist n1' returned 1: ",
    );
  });

  it('must answer in UTF-8', async () => {
    const enc = await program('latin1', `printf 'classes: {}\\nparameters: {a: caf\\351}\\n'`);

    await expect(new ExecNodes(enc, options).find({ certname: 'n1' }, signal)).rejects.toThrow(
      'Failed to find n1 via exec: invalid byte sequence in UTF-8',
    );
  });

  it('is ended when it takes too long', async () => {
    const enc = await program('enc', 'exec sleep 60');
    const nodes = new ExecNodes(enc, { ...options, timeoutMs: 100 });

    await expect(nodes.find({ certname: 'n1' }, signal)).rejects.toThrow('took longer than 0.1 seconds');
  });

  it('is given its arguments and no variables of the user', async () => {
    const enc = await program('enc', "echo \"parameters: {args: '$*', home: '$HOME', lang: '$LC_ALL'}\"");

    const answer = await new ExecNodes(`${enc} --flag`, options).find({ certname: 'n1' }, signal);

    expect(answer?.parameters).toEqual({ args: '--flag n1', home: '', lang: 'C' });
  });

  it('is the same when the launcher starts it, however busy this process is', async () => {
    const launcher = new ProcessLauncher({
      workerUrl: new URL('../../platform/processes/launcher-worker.ts', import.meta.url),
      environment: process.env,
      now: () => performance.now(),
      manyPrograms: 1,
    });
    const launched = { ...options, start: launcher.start };
    const ask = async (name: string, script: string) =>
      await new ExecNodes(await program(name, script), launched).find({ certname: 'n1' }, signal);
    const isLaunched = async () => {
      const answer = await ask('parent', 'echo "parameters: {parent: $PPID}"');
      return answer?.parameters['parent'] !== process.pid;
    };
    while (!(await isLaunched()));

    const answers = Promise.all(
      Array.from({ length: 20 }, (_, index) => ask(`enc${index}`, `${leaving} echo "classes: [a${index}]"`)),
    );
    for (let round = 0; round < 10; round += 1) {
      const until = performance.now() + 250;
      while (performance.now() < until);
      await new Promise((resolve) => setImmediate(resolve));
    }

    expect((await answers).map((answer) => Object.keys(answer?.classes ?? {}))).toEqual(
      Array.from({ length: 20 }, (_, index) => [`a${index}`]),
    );
    const missing = new ExecNodes('/nonexist', launched).find({ certname: 'n1' }, signal);
    await expect(missing).rejects.toThrow("Execution of '/nonexist n1' returned 1: ");
    await expect(ask('failing', 'echo no; exit 3')).rejects.toThrow('returned 3: no');
    launcher.close();
  });

  it('may leave a process behind that keeps its output open', async () => {
    const enc = await program('enc', `${leaving} echo "classes: [a]"`);

    const answer = await new ExecNodes(enc, options).find({ certname: 'n1' }, signal);

    expect(answer?.classes).toEqual({ a: null });
  });
});

describe('trusted external data', () => {
  it('is nothing without a program', async () => {
    expect(await new TrustedExternal('', options).find('n1', signal)).toEqual({});
  });

  it('is what a program answers', async () => {
    const file = await program('ext', `echo "{\\"name\\": \\"$1\\"}"`);

    expect(await new TrustedExternal(file, options).find('n1', signal)).toEqual({ name: 'n1' });
  });

  it('may have bytes that are not UTF-8, which stay what they are', async () => {
    const file = await program('latin1', `printf '{"a": "caf\\351"}'`);

    expect(await new TrustedExternal(file, options).find('n1', signal)).toEqual({ a: 'caf\udce9' });
  });

  it('of a directory is what each program in it answers', async () => {
    await mkdir(join(directory, 'd'));
    await program('d/one.sh', 'echo "[1]"');
    await program('d/two', 'echo 2');
    await writeFile(join(directory, 'd/notes.txt'), 'not a program');

    const found = await new TrustedExternal(`${directory}/d/`, options).find('n1', signal);

    expect(found).toEqual({ one: [1], two: 2 });
  });

  it('fails when a program does, or two have one name', async () => {
    const file = await program('ext', 'echo no; exit 3');
    await mkdir(join(directory, 'd'));
    await program('d/one.sh', 'echo 1');
    await program('d/one.rb', 'echo 1');

    await expect(new TrustedExternal(file, options).find('n1', signal)).rejects.toThrow(
      `Execution of '${file} n1' returned 3: no`,
    );
    await expect(new TrustedExternal(`${directory}/d`, options).find('n1', signal)).rejects.toThrow(
      `There is more than one 'one' script in ${directory}/d`,
    );
  });
});
