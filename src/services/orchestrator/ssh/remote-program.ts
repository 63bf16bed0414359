/**
 * The program for a node that is reached by SSH: a directory of files and a shell script. The script writes to standard error when it
 * begins and how it ended, so that a lost connection can be told from an exit code.
 */

import { createHash } from 'node:crypto';
import { z } from 'zod';
import { checkShape } from '../../../lib/check-shape.ts';
import type { Json } from '../../../lib/json.ts';
import type { AgentRequest } from '../jobs/job.ts';

export interface RemoteFile {
  /** Relative to the directory of the action. */
  readonly name: string;
  readonly content: Buffer;
  readonly mode: number;
}

export interface RemoteProgram {
  readonly files: readonly RemoteFile[];
  /** Shell words that run it, in its directory. */
  readonly line: string;
  /** Whether it is a Puppet run, of which the report tells more. */
  readonly isPuppetRun: boolean;
  /** Present where it writes an archive of files, for this server to keep. */
  readonly collects?: CollectedFiles;
}

export interface CollectedFiles {
  /** On the node, as it was asked for. */
  readonly source: string;
  /** The name of it: everything in the archive is that, or below it. */
  readonly name: string;
  /** Relative to the directory of all downloads. */
  readonly destination: string;
}

export interface FileReference {
  readonly filename: string;
  readonly sha256: string;
  readonly uri: { readonly path: string; readonly params: Readonly<Record<string, string>> };
}

/** Why a request cannot be carried out; nothing was run. */
export class UnsupportedRequest extends Error {}

export interface ProgramTermini {
  /** Content of a file of the live code, by the address that agents fetch it from. */
  readonly readFile: (uri: FileReference['uri']) => Promise<Buffer>;
  /** Its directory on the node. */
  readonly directory: string;
}

const FileWire = z.object({
  filename: z.string(),
  sha256: z.string(),
  uri: z.object({ path: z.string(), params: z.record(z.string(), z.string()) }),
});
const ImplementationWire = z.looseObject({
  name: z.string(),
  requirements: z.array(z.string()).default([]),
  files: z.array(z.string()).default([]),
  input_method: z.string().optional(),
});
const TaskWire = z.object({
  task: z.string(),
  input: z.record(z.string(), z.json()),
  files: z.array(FileWire).min(1),
  metadata: z.looseObject({
    input_method: z.string().optional(),
    files: z.array(z.string()).default([]),
    features: z.array(z.string()).default([]),
    implementations: z.array(ImplementationWire).default([]),
  }),
});
const CommandWire = z.object({ command: z.string() });
const ScriptWire = z.object({ script: FileWire, arguments: z.array(z.string()) });
const OwnScriptWire = z.object({
  name: z.string(),
  content: z.string(),
  arguments: z.array(z.string()),
  variables: z.record(z.string().regex(/^[A-Za-z_]\w*$/), z.string()).default({}),
});
/** Ours: agents have no such action. */
const CollectWire = z.object({ source: z.string(), destination: z.string() });
const PuppetWire = z.object({ flags: z.array(z.string()), job: z.string().optional() });
const DownloadWire = z.object({
  files: z.array(
    z.object({
      destination: z.string(),
      kind: z.string(),
      link_source: z.string(),
      sha256: z.string(),
      uri: z.object({ path: z.string(), params: z.record(z.string(), z.string()) }),
    }),
  ),
});

const makers: Readonly<
  Record<string, (params: AgentRequest['params'], termini: ProgramTermini) => Promise<RemoteProgram>>
> = {
  'command run': (params) => Promise.resolve(commandProgram(decode(CommandWire, params))),
  'script run': async (params, termini) => {
    const { arguments: words, script } = decode(ScriptWire, params);
    return scriptProgram(await contentOf(script, termini), words);
  },
  'task run': taskProgram,
  'file download': downloadProgram,
  'file collect': (params) => Promise.resolve(collectProgram(decode(CollectWire, params))),
  'pxp-module-puppet run': (params) => Promise.resolve(puppetProgram(decode(PuppetWire, params))),
};

/** @throws UnsupportedRequest */
export async function programFor(
  { action, module, params }: AgentRequest,
  termini: ProgramTermini,
): Promise<RemoteProgram> {
  const make = makers[`${module} ${action}`];
  if (make === undefined)
    throw new UnsupportedRequest(`It is not possible to run '${module} ${action}' by SSH`);
  return await make(params, termini);
}

export function shellQuote(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

function commandProgram({ command }: z.infer<typeof CommandWire>): RemoteProgram {
  return {
    files: [file('command', command, 0o600)],
    // As an agent does: in the shell of the user.
    line: 'exec "${SHELL:-/bin/sh}" -c "$(cat command)" < /dev/null',
    isPuppetRun: false,
  };
}

function scriptProgram(
  content: Buffer,
  words: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): RemoteProgram {
  const given = Object.entries(variables).map(([name, value]) => `${name}=${shellQuote(value)}`);
  const exports = given.length === 0 ? '' : `export ${given.join(' ')}; `;
  return {
    files: [{ name: 'script', content, mode: 0o700 }],
    line: `${exports}exec ${['./script', ...words.map(shellQuote)].join(' ')} < /dev/null`,
    isPuppetRun: false,
  };
}

async function taskProgram(params: AgentRequest['params'], termini: ProgramTermini): Promise<RemoteProgram> {
  const { files, input, metadata, task } = decode(TaskWire, params);
  if (task === ownScriptTask) {
    // It needs no Ruby where the shell is at hand.
    const { arguments: words, content, variables } = decode(OwnScriptWire, input);
    return scriptProgram(Buffer.from(content, 'base64'), words, variables);
  }
  const features = new Set(['shell', ...metadata.features]);
  const implementation = metadata.implementations.find(({ requirements }) =>
    requirements.every((each) => features.has(each)),
  );
  if (metadata.implementations.length > 0 && implementation === undefined)
    throw new UnsupportedRequest(
      `Task ${task} has no implementation that needs a shell alone, as SSH offers it`,
    );
  const chosen = files.find(({ filename }) => filename === implementation?.name) ?? files[0];
  if (chosen === undefined) throw new UnsupportedRequest(`Task ${task} has no files`);
  const method = implementation?.input_method ?? metadata.input_method ?? 'both';
  if (method === 'powershell') throw new UnsupportedRequest(`Task ${task} needs PowerShell`);
  const more = furtherFiles([...metadata.files, ...(implementation?.files ?? [])], files);
  const installed = `${termini.directory}/install`;
  const given = { ...input, _task: task, ...(more.length === 0 ? {} : { _installdir: installed }) };
  const place = `install/${task.split('::')[0] ?? task}/tasks/${chosen.filename}`;
  return {
    files: [
      { name: place, content: await contentOf(chosen, termini), mode: 0o700 },
      ...(await Promise.all(
        more.map(async (each) => ({
          name: `install/${each.filename}`,
          content: await contentOf(each, termini),
          mode: 0o700,
        })),
      )),
      file('input', method === 'environment' ? '' : JSON.stringify(given), 0o600),
      file('variables', method === 'stdin' ? '' : exportsOf(given), 0o600),
    ],
    line: `. ./variables; exec ./${shellQuote(place)} < input`,
    isPuppetRun: false,
  };
}

const ownScriptTask = 'bunraku::script';

/** A name that ends with a slash stands for all files below. */
function furtherFiles(wanted: readonly string[], files: readonly FileReference[]): readonly FileReference[] {
  return files.filter(({ filename }) =>
    wanted.some((name) => (name.endsWith('/') ? filename.startsWith(name) : filename === name)),
  );
}

function exportsOf(input: Readonly<Record<string, Json>>): string {
  return Object.entries(input)
    .filter(([name]) => /^\w+$/.test(name))
    .map(([name, value]) => {
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      return `export PT_${name}=${shellQuote(text)}\n`;
    })
    .join('');
}

async function downloadProgram(
  params: AgentRequest['params'],
  termini: ProgramTermini,
): Promise<RemoteProgram> {
  const { files } = decode(DownloadWire, params);
  const contents: RemoteFile[] = [];
  const steps: string[] = [];
  for (const [index, each] of files.entries()) {
    const to = shellQuote(each.destination);
    if (each.kind === 'directory') steps.push(`mkdir -p -- ${to}`);
    else if (each.kind === 'symlink') steps.push(`ln -sfn -- ${shellQuote(each.link_source)} ${to}`);
    else {
      const name = `file${index}`;
      contents.push({ name, content: await contentOf({ ...each, filename: name }, termini), mode: 0o600 });
      // Permissions are those of the user, not those of the directory of the action.
      steps.push(`cat ${name} > ${to}`);
    }
  }
  return {
    files: contents,
    line: ['umask 022', ...steps, 'echo downloaded'].join(' && '),
    isPuppetRun: false,
  };
}

/** Writes an archive to standard output. Links are followed, as `scp` does. */
function collectProgram({ destination, source }: z.infer<typeof CollectWire>): RemoteProgram {
  const [, directory = '.', name = '.'] = /^(.*\/)?([^/]+)\/*$/s.exec(source.replace(/^~\/+/, '')) ?? [];
  if (name === '.' || name === '..')
    throw new UnsupportedRequest(`${source} does not end with the name of a file or directory`);
  const words = ['tar', '-chf', '-', '-C', directory, '--', `./${name}`].map(shellQuote).join(' ');
  // Names that are not absolute are those of the user's home.
  const home = directory.startsWith('/') ? '' : 'cd && ';
  return {
    files: [],
    line: `export LC_ALL=C COPYFILE_DISABLE=1; ${home}exec ${words} < /dev/null`,
    isPuppetRun: false,
    collects: { source, name, destination },
  };
}

function puppetProgram({ flags, job }: z.infer<typeof PuppetWire>): RemoteProgram {
  const words = ['--onetime', '--no-daemonize', '--verbose', '--detailed-exitcodes', ...flags];
  const all = job === undefined ? words : [...words, '--job-id', job];
  return {
    files: [],
    line: `PATH="/opt/puppetlabs/bin:$PATH"
report=$(puppet config print --section agent lastrunreport 2>/dev/null)
of_report() { sed -n "s/^$1: *['\\"]*\\([^'\\"]*\\)['\\"]*$/\\1/p" "$report" 2>/dev/null | head -n 1; }
before=$(of_report transaction_uuid)
puppet agent ${all.map(shellQuote).join(' ')} < /dev/null
code=$?
after=$(of_report transaction_uuid)
if [ "$before" != "$after" ]; then details="$after $(of_report environment)"; fi
( exit $code )`,
    isPuppetRun: true,
  };
}

async function contentOf(
  { filename, sha256, uri }: FileReference,
  { readFile }: ProgramTermini,
): Promise<Buffer> {
  const content = await readFile(uri);
  const actual = createHash('sha256').update(content).digest('hex');
  // Agents refuse it, too: the code may have changed since the job began.
  if (actual !== sha256.toLowerCase())
    throw new UnsupportedRequest(`The file "${filename}" has a SHA that differs from the one of the job`);
  return content;
}

function file(name: string, text: string, mode: number): RemoteFile {
  return { name, content: Buffer.from(text), mode };
}

function decode<T extends z.ZodType>(shape: T, params: unknown): z.infer<T> {
  const found = checkShape(shape, params);
  if (found.success) return found.data;
  throw new UnsupportedRequest(`invalid input: ${found.error.issues[0]?.message ?? ''}`);
}
