/** What lies below a directory, as something that can be compared. */

import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/** By path: kind, whether executable, and content. Checkouts of git are left out, and the times of deploys. */
export function treeOf(root: string): Readonly<Record<string, string>> {
  const tree: Record<string, string> = {};
  if (existsSync(root)) collect(root, '', tree);
  return tree;
}

function collect(root: string, below: string, tree: Record<string, string>): void {
  for (const name of readdirSync(join(root, below)).sort()) {
    if (name === '.git') continue;
    const path = below === '' ? name : `${below}/${name}`;
    const file = join(root, path);
    const stats = lstatSync(file);
    if (stats.isSymbolicLink()) tree[path] = `link to ${readlinkSync(file)}`;
    else if (stats.isDirectory()) {
      tree[path] = 'directory';
      collect(root, path, tree);
    } else tree[path] = `${(stats.mode & 0o100) === 0 ? 'file' : 'program'} ${contentOf(file, name)}`;
  }
}

function contentOf(file: string, name: string): string {
  const content = readFileSync(file);
  if (name === '.r10k-deploy.json')
    return content.toString('utf8').replaceAll(/"(started|finished)_at": "[^"]*"/g, '"$1_at": "..."');
  return createHash('sha256').update(content).digest('hex').slice(0, 16);
}
