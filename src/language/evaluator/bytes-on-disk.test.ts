import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isPresent, puppetAgent } from '../../../scripts/debian-packages.ts';
import { compileSnippet } from '../../../test/support/compile-snippet.ts';
import { renderCatalog } from '../catalog/index.ts';

const hasPuppet = isPresent(puppetAgent);
const everyByte = Buffer.from(Uint8Array.from({ length: 256 }, (_, byte) => byte));

/** What an agent does with a catalog, without a server: the real deserialiser and the real type File. */
const APPLY = `
require 'puppet'
Encoding.default_external = Encoding::UTF_8
directory = ARGV.fetch(0)
Puppet.initialize_settings(['--confdir', directory, '--vardir', directory, '--codedir', directory])
Puppet.push_context(Puppet.base_context(Puppet.settings))
Puppet.override(loaders: Puppet::Pops::Loaders.new(Puppet.lookup(:current_environment))) do
  text = File.read(File.join(directory, 'catalog.json'))
  Puppet::Resource::Catalog.convert_from(:rich_data_json, text).to_ral.apply
end
`;

test.skipIf(!hasPuppet)(
  'the real Puppet writes a file of all bytes as it is in the module',
  () => {
    const directory = mkdtempSync(join(tmpdir(), 'bunraku-bytes-'));
    onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
    const written = join(directory, 'written');
    const code = `file { '${written}': ensure => file, backup => false, content => file('m/every') }`;
    const { catalog } = compileSnippet(code, { modules: { 'm/files/every': everyByte } });
    writeFileSync(
      join(directory, 'catalog.json'),
      renderCatalog(catalog, 'application/vnd.puppet.rich+json'),
    );

    execFileSync('ruby', ['-', directory], { input: APPLY, stdio: ['pipe', 'ignore', 'pipe'] });

    expect(readFileSync(written)).toEqual(everyByte);
  },
  30_000,
);
