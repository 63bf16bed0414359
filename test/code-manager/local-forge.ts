/** A forge on loopback: the part of the API that r10k and we use. */

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';

interface Release {
  readonly slug: string;
  readonly version: string;
  readonly archive: Buffer;
}

export class LocalForge {
  /** Requests, in their order. */
  readonly requests: string[] = [];
  private readonly directory: string;
  private readonly releases = new Map<string, Release>();
  private readonly server: Server;
  /** Serves archives that are not what their digests say. */
  isCorrupt = false;

  constructor(directory: string) {
    this.directory = directory;
    this.server = createServer((request, response) => {
      this.requests.push(request.url ?? '');
      const answer = this.answer(request.url?.replace(/\?.*$/, '') ?? '');
      const contentType = Buffer.isBuffer(answer) ? 'application/octet-stream' : 'application/json';
      response.writeHead(answer === undefined ? 404 : 200, { 'content-type': contentType });
      response.end(answer ?? '{"message":"404 Not Found"}');
    });
  }

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  /** @param files - of the module; `metadata.json` is added */
  release(slug: string, version: string, files: Readonly<Record<string, string>>): string {
    const name = `${slug}-${version}`;
    const root = join(this.directory, 'work', name);
    const all = {
      'metadata.json': JSON.stringify({ name: slug, version, author: 'x', dependencies: [] }),
      ...files,
    };
    for (const [path, content] of Object.entries(all)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), content);
    }
    const archive = join(this.directory, `${name}.tar.gz`);
    execFileSync('tar', ['--create', '--gzip', '--file', archive, '-C', dirname(root), name]);
    this.releases.set(name, { slug, version, archive: readFileSync(archive) });
    return archive;
  }

  private answer(path: string): string | Buffer | undefined {
    const [, , kind, name = ''] = path.split('/');
    if (kind === 'modules') return this.moduleAnswer(name);
    const release = this.releases.get(name.replace(/\.tar\.gz$/, ''));
    if (release === undefined) return undefined;
    if (kind === 'files') return this.isCorrupt ? Buffer.from('something else') : release.archive;
    return kind === 'releases' ? JSON.stringify(describe(release)) : undefined;
  }

  private moduleAnswer(slug: string): string | undefined {
    const found = [...this.releases.values()].filter((release) => release.slug === slug);
    const latest = found.at(-1);
    if (latest === undefined) return undefined;
    return JSON.stringify({
      uri: `/v3/modules/${slug}`,
      slug,
      name: slug.split('-')[1],
      deprecated_at: null,
      current_release: describe(latest),
      releases: found.toReversed().map(describe),
    });
  }
}

function describe({ archive, slug, version }: Release): object {
  return {
    uri: `/v3/releases/${slug}-${version}`,
    slug: `${slug}-${version}`,
    module: { slug, name: slug.split('-')[1], owner: { slug: slug.split('-')[0] } },
    version,
    file_uri: `/v3/files/${slug}-${version}.tar.gz`,
    file_size: archive.length,
    file_md5: createHash('md5').update(archive).digest('hex'),
    file_sha256: createHash('sha256').update(archive).digest('hex'),
  };
}
