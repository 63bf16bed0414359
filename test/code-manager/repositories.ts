/** Git repositories to deploy from, made on the spot. */

import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** By path; `null` takes the file away. */
export type Files = Readonly<
  Record<string, string | null | { readonly link: string } | { readonly script: string }>
>;

export class TestRepository {
  readonly directory: string;

  constructor(directory: string) {
    this.directory = directory;
    mkdirSync(directory, { recursive: true });
    this.git('init', '--quiet', '--initial-branch=production');
  }

  /** Changes files on a branch, which is made when it is not there. @returns the commit */
  commit(branch: string, files: Files): string {
    const branches = this.git('for-each-ref', '--format=%(refname:short)', 'refs/heads').split('\n');
    const isFirst = branches.join('') === '';
    if (!isFirst) this.git('checkout', '--quiet', ...(branches.includes(branch) ? [branch] : ['-b', branch]));
    else if (branch !== 'production') this.git('symbolic-ref', 'HEAD', `refs/heads/${branch}`);
    for (const [path, content] of Object.entries(files)) this.write(path, content);
    this.git('add', '--all');
    this.git('commit', '--quiet', '--allow-empty', '-m', `change ${branch}`);
    return this.git('rev-parse', 'HEAD');
  }

  tag(name: string): void {
    this.git('tag', name);
  }

  git(...args: readonly string[]): string {
    return execFileSync('git', ['-C', this.directory, ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        GIT_CONFIG_GLOBAL: '/dev/null',
        GIT_AUTHOR_NAME: 'Test',
        GIT_AUTHOR_EMAIL: 'test@example.com',
        GIT_COMMITTER_NAME: 'Test',
        GIT_COMMITTER_EMAIL: 'test@example.com',
        GIT_AUTHOR_DATE: '2026-01-01T00:00:00Z',
        GIT_COMMITTER_DATE: '2026-01-01T00:00:00Z',
      },
    }).trim();
  }

  private write(path: string, content: Files[string] | undefined): void {
    const file = join(this.directory, path);
    if (content === null || content === undefined) return rmSync(file, { recursive: true, force: true });
    mkdirSync(dirname(file), { recursive: true });
    if (typeof content === 'string') return writeFileSync(file, content);
    if ('link' in content) return symlinkSync(content.link, file);
    writeFileSync(file, content.script);
    chmodSync(file, 0o755);
  }
}
