/** Symbolic links that some way of copying has turned into files which hold the path. */

import {
  chmodSync,
  cpSync,
  existsSync,
  globSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const LONGEST_PATH = 200;

/**
 * The directory of a fleet with the links of its environments as they were made: the directory itself, or, where links
 * have become text, a copy of its environments that lives as long as this process.
 */
export function withRestoredLinks(directory: string): string {
  const broken = globSync('environments/*/modules/*', { cwd: directory }).filter(
    (name) => targetOf(path.join(directory, name)) !== undefined,
  );
  if (broken.length === 0) return directory;
  const copy = mkdtempSync(path.join(tmpdir(), 'bunraku-fleet-'));
  process.on('exit', () => rmSync(copy, { recursive: true, force: true }));
  cpSync(path.join(directory, 'environments'), path.join(copy, 'environments'), { recursive: true });
  makeWritable(copy);
  for (const name of broken) {
    const target = targetOf(path.join(directory, name));
    const link = path.join(copy, name);
    rmSync(link);
    if (target !== undefined) symlinkSync(target, link);
  }
  return copy;
}

/** Copies of read-only files are read-only, too, and cannot be removed. */
function makeWritable(directory: string): void {
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true }))
    if (entry.isDirectory()) chmodSync(path.join(entry.parentPath, entry.name), 0o755);
}

/** The directory that a file names, if it does nothing else. */
function targetOf(file: string): string | undefined {
  const stats = lstatSync(file);
  if (!stats.isFile() || stats.size > LONGEST_PATH) return undefined;
  const text = readFileSync(file, 'utf8').trim();
  return text.startsWith('/') && existsSync(text) ? text : undefined;
}
