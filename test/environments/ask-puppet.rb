# frozen_string_literal: true

# What the installed Puppet makes of the environments in a directory: one JSON object for all of them.
#
#   ruby ask-puppet.rb DIRECTORY

require 'json'
require 'puppet'

directory = ARGV.fetch(0)
Puppet.initialize_settings(['--confdir', directory, '--vardir', directory, '--codedir', directory, '--basemodulepath', "#{directory}/base",
                            '--environment_timeout', 'unlimited'])
logged = []
Puppet::Util::Log.newdesttype :asked do
  match 'asked'
  define_method(:handle) { |message| logged << [message.level.to_s, message.message.delete_suffix("\n   (file & line not available)")] }
end
Puppet::Util::Log.newdestination('asked')

# Whoever asks for a timeout that is none gets an error.
def timeout_of(conf)
  timeout = conf.environment_timeout
  timeout == Float::INFINITY ? 'unlimited' : timeout
rescue Puppet::Settings::ValidationError => e
  Puppet.err(e.message)
  'unlimited'
end

def version_of(environment)
  environment.known_resource_types.version
rescue Puppet::Error => e
  "failed: #{e.message[/\A.*?returned \d+/m]}"
end

answers = Dir.children("#{directory}/environments").sort.to_h do |name|
  logged.clear
  loader = Puppet::Environments::Directories.new("#{directory}/environments", ["#{directory}/base"])
  answer =
    begin
      conf = loader.get_conf(name)
      environment = loader.get!(name)
      {
        modulepath: environment.full_modulepath, manifest: environment.manifest, config_version: environment.config_version || '',
        timeout: timeout_of(conf), static_catalogs: !!conf.static_catalogs, rich_data: !!conf.rich_data,
        modules: environment.modules.map(&:name).sort, version: version_of(environment).then { |it| it.is_a?(Integer) ? 'time' : it }
      }
    rescue Puppet::Error => e
      { error: e.message }
    end
  [name, answer.merge(logs: logged.dup)]
end
puts JSON.generate(answers)
