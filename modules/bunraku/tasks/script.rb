#!/opt/puppetlabs/puppet/bin/ruby
# frozen_string_literal: true

# Runs a script that came as a parameter. What it writes and how it ends is what this writes and how this ends.

require 'json'
require 'tmpdir'

WINDOWS = Gem.win_platform?
INTERPRETERS = {
  '.ps1' => %w[powershell.exe -NoProfile -NonInteractive -NoLogo -ExecutionPolicy Bypass -File],
  '.rb' => [RbConfig.ruby]
}.freeze

def run(input)
  Dir.mktmpdir('bunraku-script') do |directory|
    file = File.join(directory, File.basename(input['name']))
    File.binwrite(file, input['content'].unpack1('m'))
    File.chmod(0o700, file)
    interpreter = WINDOWS ? INTERPRETERS.fetch(File.extname(file), []) : []
    system(input['variables'] || {}, *interpreter, file, *input['arguments'], in: File::NULL)
    $?
  end
end

ended = run(JSON.parse($stdin.read))
exit(ended.exitstatus || (128 + ended.termsig))
