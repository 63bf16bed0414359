/** From a Puppetfile to the modules that it declares. */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rubyChoice } from '../../../platform/ruby/index.ts';
import { DeployError } from '../deploy-error.ts';
import {
  type DeclarationContext,
  decodeModule,
  type ModuleDeclaration,
} from '../modules/module-declaration.ts';
import { askWorker } from './ask-worker.ts';
import type { PuppetfileContent } from './puppetfile-content.ts';
import { NotUnderstood, PuppetfileError } from './puppetfile-error.ts';
import { askRuby } from './real-ruby.ts';

export interface Puppetfile {
  /** What `forge` says; counts only where the configuration lets it. */
  readonly forge: string | undefined;
  readonly modules: readonly ModuleDeclaration[];
}

const largest = 4 * 1024 * 1024;
const mostKnown = 200;
const longestKnown = 100_000;

export interface PuppetfileReaderOptions {
  /** The file of the thread that runs Puppetfiles. */
  readonly workerUrl: URL;
  /** What `ENV` has in a Puppetfile. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** For what is not understood here: `auto`, `wasm` or a command. */
  readonly ruby: string;
}

export class PuppetfileReader {
  private readonly options: PuppetfileReaderOptions;
  /** What texts mean that need no Ruby: it depends on nothing else. */
  private readonly known = new Map<string, PuppetfileContent>();

  constructor(options: PuppetfileReaderOptions) {
    this.options = options;
  }

  /**
   * @param file - its name, relative to the environment
   * @returns no modules when there is no such file
   * @throws DeployError in r10k's words, with the place of the mistake
   */
  async read(file: string, context: DeclarationContext): Promise<Puppetfile> {
    const path = join(context.directory, file);
    const text = await readText(path);
    if (text === undefined) return { forge: undefined, modules: [] };
    try {
      const content = await this.evaluate(text, path);
      return { forge: content.forge, modules: decodeAll(content, context) };
    } catch (error) {
      if (!(error instanceof PuppetfileError)) throw error;
      const place = error.offset === undefined ? '' : ` (line: ${lineAt(text, error.offset)})`;
      throw new DeployError(`Failed to evaluate ${path}: ${error.message}${place}`, error);
    }
  }

  private remember(text: string, content: PuppetfileContent): void {
    this.known.set(text, content);
    for (const oldest of this.known.keys()) {
      if (this.known.size <= mostKnown) break;
      this.known.delete(oldest);
    }
  }

  private async evaluate(text: string, path: string): Promise<PuppetfileContent> {
    const { ruby, workerUrl } = this.options;
    const environment = { ...this.options.environment };
    const known = this.known.get(text);
    if (known !== undefined) return known;
    try {
      const content = await askWorker(workerUrl, { text, environment });
      if (text.length <= longestKnown) this.remember(text, content);
      return content;
    } catch (error) {
      if (!(error instanceof NotUnderstood)) throw error;
      const { allowsBuiltIn, commands } = rubyChoice(ruby);
      const answer = await askRuby(commands, path, environment);
      if (answer !== undefined) return answer;
      if (allowsBuiltIn) return await askWorker(workerUrl, { text, environment, rubyPath: path });
      const message = `${error.message} needs a Ruby on this machine, and there is no ${commands.join(' or ')}`;
      throw new PuppetfileError(message, error.offset, error);
    }
  }
}

function lineAt(text: string, offset: number): number {
  return Buffer.from(text).subarray(0, offset).toString('latin1').split('\n').length;
}

async function readText(path: string): Promise<string | undefined> {
  const text = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new DeployError(`Puppetfile ${path} is unreadable: ${error.message}`, error);
  });
  if (text !== undefined && text.length > largest) throw new DeployError(`${path} is larger than 4 MiB`);
  return text?.toString('utf8');
}

function decodeAll(content: PuppetfileContent, context: DeclarationContext): readonly ModuleDeclaration[] {
  const modules = content.modules.map(({ title, args, moduleDirectory }) =>
    decodeModule(title, args, {
      ...context,
      moduleDirectory: moduleDirectory ?? context.moduleDirectory,
    }),
  );
  const names = modules.map(({ name }) => name);
  const duplicates = [...new Set(names.filter((name, index) => names.indexOf(name) !== index))];
  if (duplicates.length > 0)
    throw new DeployError(
      `Puppetfiles cannot contain duplicate module names. Remove the duplicates of the following modules: ${duplicates.join(' ')}`,
    );
  return modules;
}
