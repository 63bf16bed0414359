/** Asks the real Puppet on this machine the same things over the same tree. */

import { execFileSync } from 'node:child_process';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isPresent, puppetAgent } from '../../../scripts/debian-packages.ts';
import { type Fixture, makeFixture } from './fileserver-fixture.testing.ts';
import type { MetadataWire } from './wire.ts';

const hasPuppet = isPresent(puppetAgent);

const conf = `
# custom mounts
[files]
  path DIR/environment/custom
  allow *
[perhost]
  path DIR/environment/hosts/%H
[short]
  path DIR/environment/hosts/%h.%d/%%
`;

const tree = {
  'manifests/': '',
  'modules/one/files/a.txt': { content: 'alpha\n', mode: 0o640 },
  'modules/one/files/large': 'x'.repeat(100_000),
  'modules/one/files/.hidden': 'h',
  'modules/one/files/with space.txt': 's',
  'modules/one/files/dir/b.txt': 'beta\n',
  'modules/one/files/dir/deep/c.txt': 'gamma\n',
  'modules/one/files/empty/': '',
  'modules/one/files/link': { link: 'a.txt' },
  'modules/one/files/dirlink': { link: 'dir' },
  'modules/one/scripts/run.sh': { content: '#!/bin/sh\n', mode: 0o755 },
  'modules/one/tasks/init.sh': 'task',
  'modules/one/lib/facter/shared.rb': 'from one',
  'modules/one/lib/facter/one.rb': '1',
  'modules/one/locales/de/one.po': 'de',
  'modules/two/lib/facter/shared.rb': 'from two',
  'modules/two/lib/puppet/type/two.rb': '2',
  'modules/three/files/dangling': { link: 'nowhere' },
  'modules/three/files/x': 'x',
  'custom/m.txt': 'mounted\n',
  'custom/sub/n.txt': 'n\n',
  'custom/dangling': { link: 'nowhere' },
  'hosts/agent1.bench.test/h.txt': 'mine',
  'hosts/agent1.bench.test/%/h.txt': 'odd',
};

const queries = [
  'file_metadata/modules/one/a.txt',
  'file_metadata/modules/one/a.txt?links=ignore&checksum_type=md5',
  'file_metadata/modules/one/a.txt?links=follow&source_permissions=use',
  'file_metadata/modules/one/a.txt?links=sideways',
  'file_metadata/modules/one/a.txt?source_permissions=sometimes',
  'file_metadata/modules/one/a.txt?checksum_type=crc32',
  ...[
    'md5lite',
    'sha1',
    'sha1lite',
    'sha224',
    'sha256lite',
    'sha384',
    'sha512',
    'mtime',
    'ctime',
    'none',
  ].map((type) => `file_metadata/modules/one/large?checksum_type=${type}`),
  'file_metadata/modules/one/link',
  'file_metadata/modules/one/link?links=follow',
  'file_metadata/modules/one/link?links=manage&checksum_type=none',
  'file_metadata/modules/one/dirlink?links=manage',
  'file_metadata/modules/one/dirlink?links=manage&checksum_type=mtime',
  'file_metadata/modules/one/dirlink?links=follow',
  'file_metadata/modules/one/dirlink/b.txt',
  'file_metadata/modules/one/with space.txt',
  'file_metadata/modules/one/dir',
  'file_metadata/modules/one',
  'file_metadata/modules/one/',
  'file_metadata/modules/nosuch/x',
  'file_metadata/modules',
  'file_metadata/tasks',
  'file_metadata/mod%ules/x',
  'file_metadata/modules/three/dangling',
  'file_metadata/plugins',
  'file_metadata/plugins/facter/shared.rb',
  'file_metadata/plugins/facter/nosuch.rb',
  'file_metadata/scripts/one/run.sh?source_permissions=use',
  'file_metadata/tasks/one/init.sh',
  'file_metadata/locales/de/one.po',
  'file_metadata/pluginfacts',
  'file_metadata/files/m.txt',
  'file_metadata/files',
  'file_metadata/files/nosuch',
  'file_metadata/files/dangling',
  'file_metadata/perhost/h.txt',
  'file_metadata/short/h.txt',
  'file_metadatas/modules/one?recurse=true',
  'file_metadatas/modules/one?recurse=true&links=follow',
  'file_metadatas/modules/one?recurse=remote&recurselimit=1',
  'file_metadatas/modules/one?recurse=true&recurselimit=0',
  'file_metadatas/modules/one?recurse=false',
  'file_metadatas/modules/one?recurse=2',
  'file_metadatas/modules/one?recurse=true&recurselimit=infinite',
  'file_metadatas/modules/one?recurse=true&max_files=3',
  'file_metadatas/modules/one?recurse=true&max_files=100',
  'file_metadatas/modules/one?recurse=true&max_files=few',
  'file_metadatas/modules/one?recurse=true&ignore=*.txt&ignore=.*',
  'file_metadatas/modules/one?recurse=true&ignore=d%3Fr*',
  'file_metadatas/modules/one/dirlink?recurse=true&links=manage',
  'file_metadatas/modules/one/dirlink?recurse=true&links=follow',
  'file_metadatas/modules/one/a.txt?recurse=true',
  'file_metadatas/modules/one?links=ignore',
  'file_metadatas/modules/nosuch?recurse=true',
  'file_metadatas/modules/three?recurse=true&links=manage',
  'file_metadatas/plugins?recurse=true&links=follow&source_permissions=ignore',
  'file_metadatas/plugins/facter?recurse=true',
  'file_metadatas/pluginfacts?recurse=true&source_permissions=use',
  'file_metadatas/locales?recurse=true',
  'file_metadatas/files?recurse=true&checksum_type=md5',
  'file_content/modules/one/a.txt',
  'file_content/modules/one/large',
  'file_content/modules/one/link',
  'file_content/modules/one/dir',
  'file_content/modules/one/nosuch',
  'file_content/plugins/facter/shared.rb',
  'file_content/files/m.txt',
];

/** Loads each tree as an environment and prints status and body of each query: one Puppet, which forks for each tree. */
const script = String.raw`
require 'puppet'; require 'json'; require 'cgi'; require 'tmpdir'
require 'puppet/network/http'; require 'puppet/network/http/api/indirected_routes'
class Reply; attr_reader :body; def respond_with(_status, _format, body); @body = body.is_a?(File) ? (File.directory?(body) ? '' : body.read) : body; end; end
include Puppet::Network::HTTP
def ask(dir, queries, modulepath)
Puppet.initialize_settings(['--confdir', dir, '--vardir', Dir.mktmpdir('bunraku-reference', dir), '--codedir', dir, '--log_level', 'crit'])
environment = Puppet::Node::Environment.create(:production, modulepath.map { |path| "#{dir}/#{path}" }, "#{dir}/environment/manifests")
loader = Puppet::Environments::Static.new(environment)
Puppet.override(environments: loader, current_environment: environment) do
  queries.map do |query|
    path, options = query.split('?', 2)
    params = CGI.parse(options || '').to_h do |name, values|
      values = values.map { |v| v == 'true' ? true : v == 'false' ? false : v =~ /\A\d+\z/ ? v.to_i : v }
      [name.to_sym, values.length == 1 ? values[0] : values]
    end
    params = params.merge(environment: 'production', node: 'agent1.bench.test', ip: '127.0.0.1', authenticated: true)
    request = Request.new({ 'accept' => '*/*' }, params, 'GET', "/puppet/v3/#{path}", "/puppet/v3/#{path}", nil, '')
    reply = Reply.new
    begin
      API::IndirectedRoutes.new.call(request, reply)
      [200, reply.body.to_s.force_encoding('UTF-8')]
    rescue Puppet::Network::HTTP::Error::HTTPError => e
      [e.status, e.to_json]
    rescue StandardError => e
      [500, Puppet::Network::HTTP::Error::HTTPServerError.new(e).to_json]
    end
  end
end
end
answers = JSON.parse(STDIN.read).map do |question|
  reader, writer = IO.pipe
  child = fork { reader.close; writer.write(JSON.dump(ask(*question))); writer.close; exit!(0) }
  writer.close
  answer = reader.read
  Process.wait(child)
  JSON.parse(answer)
end
puts JSON.dump(answers)
`;

type Answers = readonly (readonly [status: number, body: string])[];

interface Question {
  readonly directory: string;
  readonly queries: readonly string[];
  /** Relative to the directory, which is also `codedir`. */
  readonly modulePath: readonly string[];
}

function askPuppet(questions: readonly Question[]): readonly Answers[] {
  const input = JSON.stringify(questions.map((each) => [each.directory, each.queries, each.modulePath]));
  // Digest and times are those of this machine, in the time zone that ours are in.
  const env = { PATH: '/usr/bin:/bin', TZ: 'UTC', LANG: 'C.UTF-8', HOME: questions[0]?.directory };
  const output = execFileSync('ruby', ['-e', script], { input, env, encoding: 'utf8', maxBuffer: 2 ** 28 });
  return JSON.parse(output.split('\n').at(-2) ?? '');
}

describe.skipIf(!hasPuppet)('compared with the real Puppet (skipped without one)', () => {
  let fixture: Fixture;
  let expected: Answers = [];

  beforeAll(async () => {
    fixture = await makeFixture({
      modules: ['one', 'three', 'two'],
      tree,
      fileserverConf: conf,
      logicalDirectory: '/logical',
    });
    const { directory } = fixture;
    [expected = []] = askPuppet([{ directory, queries, modulePath: ['environment/modules'] }]);
  });
  afterAll(() => fixture.remove());

  test.each(queries.map((query, index) => [query, index] as const))('%s', async (query, index) => {
    const [path = '', options = ''] = query.split('?');
    const target = `/puppet/v3/${encodeURI(path)}?${options}&environment=production`;

    const reply = await fixture.get(target);

    const [status, body] = expected[index] ?? [0, ''];
    const logical = body.replaceAll(join(fixture.directory, 'environment'), '/logical');
    expect([reply.status, comparable(reply.text)]).toEqual([status, comparable(logical)]);
  });

  test('what cannot change is read once, and remembered', async () => {
    const target = '/puppet/v3/file_metadatas/plugins?recurse=true&environment=production';
    const before = await fixture.get(target);

    await symlink('/etc', join(fixture.version.directory, 'modules/two/lib/new'));

    expect((await fixture.get(target)).text).toBe(before.text);
  });
});

const mergedQueries = ['plugins', 'pluginfacts', 'locales'].flatMap((mount) => [
  `file_metadata/${mount}`,
  `file_metadatas/${mount}?recurse=true&links=follow&source_permissions=ignore`,
  `file_metadatas/${mount}?recurse=true&links=manage&source_permissions=use&ignore=.git`,
  `file_metadatas/${mount}`,
]);

const own = 'environment/modules';
const shared = 'shared/modules';
const sharedModule = { '../shared/modules/s/lib/a.rb': 'a', '../shared/modules/s/facts.d/f.txt': 'f=1' };

interface MergedCase {
  readonly name: string;
  readonly modulePath: readonly string[];
  readonly planted: Parameters<typeof makeFixture>[0]['tree'];
  readonly modules: readonly string[];
}

const mergedCases: readonly MergedCase[] = [
  {
    name: 'two empty directories',
    modulePath: [own, shared],
    planted: { 'modules/': '', '../shared/modules/': '' },
    modules: [],
  },
  {
    name: 'an empty directory outside of the environment',
    modulePath: [shared],
    planted: { '../shared/modules/': '' },
    modules: [],
  },
  {
    name: 'only files outside of the environment',
    modulePath: [shared],
    planted: { '../shared/modules/README': '' },
    modules: [],
  },
  { name: 'no directory at all', modulePath: [], planted: {}, modules: [] },
  {
    name: 'a module with nothing for agents',
    modulePath: [own],
    planted: { 'modules/m/manifests/init.pp': '' },
    modules: ['m'],
  },
  {
    name: 'a module in the shared directory',
    modulePath: [own, shared],
    planted: { 'modules/': '', ...sharedModule },
    modules: ['../shared/modules/s'],
  },
  {
    name: 'modules in both, one with nothing for agents',
    modulePath: [own, shared],
    planted: { 'modules/m/manifests/init.pp': '', ...sharedModule },
    modules: ['m', '../shared/modules/s'],
  },
  {
    name: 'a link to an empty directory elsewhere',
    modulePath: ['linked', own],
    planted: { '../linked': { link: 'shared/modules' }, '../shared/modules/': '', 'modules/': '' },
    modules: [],
  },
  {
    name: 'a link to a directory with a module',
    modulePath: ['linked'],
    planted: { '../linked': { link: 'shared/modules' }, ...sharedModule },
    modules: ['../linked/s'],
  },
  {
    name: 'a folder for agents that is empty',
    modulePath: [own],
    planted: { 'modules/m/facts.d/': '', 'modules/m/lib/': '' },
    modules: ['m'],
  },
];

describe.skipIf(!hasPuppet)('mounts of all modules, beside the real Puppet (skipped without one)', () => {
  let fixtures: readonly Fixture[] = [];
  let expected: readonly Answers[] = [];

  beforeAll(async () => {
    fixtures = await Promise.all(
      mergedCases.map(({ modulePath, modules, planted }) =>
        makeFixture({ modules, modulePath, tree: planted, logicalDirectory: '/logical' }),
      ),
    );
    expected = askPuppet(
      mergedCases.map(({ modulePath }, index) => ({
        directory: fixtures[index]?.directory ?? '',
        queries: mergedQueries,
        modulePath,
      })),
    );
  });
  afterAll(async () => {
    for (const fixture of fixtures) await fixture.remove();
  });

  test.each(mergedCases.map(({ name }, index) => [name, index] as const))('%s', async (_, index) => {
    const fixture = fixtures[index];
    const replies = [];
    for (const query of mergedQueries)
      replies.push(
        await fixture?.get(`/puppet/v3/${query}${query.includes('?') ? '&' : '?'}environment=production`),
      );

    const answered = replies.map((reply) => [reply?.status, comparable(reply?.text ?? '')]);
    const logical = (body: string) =>
      body.replaceAll(join(fixture?.directory ?? '', 'environment'), '/logical');
    expect(answered).toEqual(expected[index]?.map(([status, body]) => [status, comparable(logical(body))]));
  });
});

/** The reference's order of siblings is the file system's; its server's owner is not ours. */
function comparable(body: string): unknown {
  if (!/^\[?\{"path"/.test(body)) return body;
  const parsed: MetadataWire | MetadataWire[] = JSON.parse(body);
  if (!Array.isArray(parsed)) return withoutOwner(parsed);
  const levels = parsed.map(({ path, relative_path }) => `${path} ${relative_path?.split('/').length}`);
  const entries = parsed.map(withoutOwner);
  return {
    levels,
    entries: entries.toSorted((a, b) => (`${a.relative_path}` < `${b.relative_path}` ? -1 : 1)),
  };
}

function withoutOwner(entry: MetadataWire): MetadataWire {
  return { ...entry, owner: 0, group: 0 };
}
