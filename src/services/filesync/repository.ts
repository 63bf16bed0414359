/** One bare git repository: the history of one environment. */

import { existsSync } from 'node:fs';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SerialQueue } from '../../lib/serial-queue.ts';
import type { Git } from '../../platform/git/index.ts';

export interface CommitMessage {
  readonly message: string;
  readonly author: { readonly name: string; readonly email: string };
}

/** How git reaches a repository on another server. */
export interface GitRemote {
  readonly url: string;
  readonly caFile: string;
  readonly certificateFile: string;
  readonly privateKeyFile: string;
}

const branch = 'refs/heads/main';
/** Content is stored and checked out byte for byte, whatever `.gitattributes` in the code may ask for. */
const plainAttributes = '* -text -eol -ident -filter -working-tree-encoding -export-ignore -export-subst\n';

export class Repository {
  readonly directory: string;
  private readonly git: Git;
  /** git's own locks refuse; ours wait. */
  private readonly queue = new SerialQueue();

  constructor(git: Git, directory: string) {
    this.git = git;
    this.directory = directory;
  }

  /** The commit that is deployed; `undefined` while there is none. */
  async head(): Promise<string | undefined> {
    if (!existsSync(join(this.directory, 'HEAD'))) return undefined;
    const commit = await this.git
      .text([...this.place(), 'rev-parse', '--verify', '--quiet', branch])
      .catch(() => undefined);
    return commit === '' ? undefined : commit;
  }

  async has(commit: string): Promise<boolean> {
    if (!existsSync(join(this.directory, 'HEAD'))) return false;
    return this.git.run([...this.place(), 'cat-file', '-e', `${commit}^{commit}`]).then(
      () => true,
      () => false,
    );
  }

  /**
   * Commits everything below a directory, ignored files and checkouts of other repositories included.
   *
   * @returns the commit; the present one when nothing has changed
   * @throws GitError when git fails (disk full, unreadable file)
   */
  commitDirectory(workTree: string, commit: CommitMessage): Promise<string> {
    return this.queue.run(async () => {
      await this.ensure();
      await this.stage(workTree);
      const tree = await this.git.text([...this.place(), 'write-tree']);
      const parent = await this.head();
      if (parent !== undefined && (await this.treeOf(parent)) === tree) return parent;
      const id = await this.createCommit(tree, parent, commit);
      await this.git.run([...this.place(), 'update-ref', branch, id, parent ?? '']);
      return id;
    });
  }

  /** Gets the objects that are missing here and moves the branch to where the remote's is. */
  fetch(remote: GitRemote, signal: AbortSignal): Promise<void> {
    return this.queue.run(async () => {
      await this.ensure();
      const transport = [
        // Other servers are asked directly, as with every other request.
        'http.proxy=',
        `http.sslCAInfo=${remote.caFile}`,
        `http.sslCert=${remote.certificateFile}`,
        `http.sslKey=${remote.privateKeyFile}`,
        'http.sslVerify=true',
        // No bytes for this long is a dead connection.
        'http.lowSpeedLimit=1',
        'http.lowSpeedTime=20',
      ].flatMap((entry) => ['-c', entry]);
      const refspec = `+${branch}:${branch}`;
      await this.git.run(
        [
          ...transport,
          ...this.place(),
          'fetch',
          '--quiet',
          '--no-tags',
          '--no-write-fetch-head',
          remote.url,
          refspec,
        ],
        { signal },
      );
    });
  }

  /** Writes the files of a commit into a new directory. */
  async checkout(commit: string, destination: string): Promise<void> {
    const index = `${destination}.index`;
    const environment = { GIT_INDEX_FILE: index };
    await mkdir(destination, { recursive: true });
    try {
      await this.git.run([...this.place(), 'read-tree', commit], { environment });
      await this.git.run([...this.place(destination), 'checkout-index', '--all', '--force'], { environment });
    } finally {
      await rm(index, { force: true });
    }
  }

  /** The content of one file of a commit; `undefined` when it has no such file. */
  async show(commit: string, path: string): Promise<Buffer | undefined> {
    return this.git.run([...this.place(), 'cat-file', 'blob', `${commit}:${path}`]).catch(() => undefined);
  }

  private async ensure(): Promise<void> {
    if (existsSync(join(this.directory, 'HEAD'))) return;
    await mkdir(this.directory, { recursive: true });
    await this.git.run(['init', '--quiet', '--bare', '--initial-branch=main', this.directory]);
    await mkdir(join(this.directory, 'info'), { recursive: true });
    await writeFile(join(this.directory, 'info', 'attributes'), plainAttributes);
  }

  /** Brings the index to what lies in the directory; unchanged files are not read again. */
  private async stage(workTree: string): Promise<void> {
    const present = await filesBelow(workTree);
    const known = (await this.git.run([...this.place(), 'ls-files', '-z'])).toString('utf8').split('\0');
    const paths = [...new Set([...known, ...present])].filter((path) => path !== '');
    const input = paths.map((path) => `${path}\0`).join('');
    await this.git.run(
      [...this.place(workTree), 'update-index', '--add', '--remove', '--replace', '-z', '--stdin'],
      {
        input,
      },
    );
  }

  private treeOf(commit: string): Promise<string> {
    return this.git.text([...this.place(), 'rev-parse', `${commit}^{tree}`]);
  }

  private createCommit(tree: string, parent: string | undefined, commit: CommitMessage): Promise<string> {
    const { name, email } = commit.author;
    return this.git.text(
      [...this.place(), 'commit-tree', ...(parent === undefined ? [] : ['-p', parent]), tree],
      {
        input: commit.message,
        environment: {
          GIT_AUTHOR_NAME: name,
          GIT_AUTHOR_EMAIL: email,
          GIT_COMMITTER_NAME: name,
          GIT_COMMITTER_EMAIL: email,
        },
      },
    );
  }

  private place(workTree?: string): string[] {
    const gitDirectory = `--git-dir=${this.directory}`;
    return workTree === undefined ? [gitDirectory] : [gitDirectory, `--work-tree=${workTree}`];
  }
}

/** Paths of files and links, relative, without anything named `.git` (modules are often checkouts themselves). */
async function filesBelow(root: string, below = ''): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await readdir(join(root, below), { withFileTypes: true })) {
    if (entry.name === '.git') continue;
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) found.push(...(await filesBelow(root, path)));
    else if (entry.isFile() || entry.isSymbolicLink()) found.push(path);
  }
  return found;
}
