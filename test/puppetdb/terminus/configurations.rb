# Reads texts of puppetdb.conf with the real terminus.
# Standard input: a list of texts; standard output: for each its settings or error, and what it warned of.
require 'json'
require 'tempfile'
require 'puppet'
require 'puppet/util/puppetdb'

def read(text)
  file = Tempfile.new('puppetdb.conf')
  file.write(text)
  file.close
  config = Puppet::Util::Puppetdb::Config.load(file.path)
  values = %w[server_url_timeout include_unchanged_resources? soft_write_failure min_successful_submissions
              command_broadcast sticky_read_failover verify_client_certificate].to_h { |name| [name, config.send(name)] }
  values.merge(
    'server_urls' => config.server_urls.map(&:to_s),
    'submit_only_server_urls' => config.submit_only_server_urls.map(&:to_s)
  )
rescue StandardError => e
  { 'error' => e.message.gsub(file.path, 'puppetdb.conf') }
end

logs = []
Puppet::Util::Log.newdestination(Puppet::Test::LogCollector.new(logs))
results = JSON.parse($stdin.read).map do |text|
  logs.clear
  read(text).merge('warnings' => logs.map(&:message).grep(/retired/))
end
puts JSON.generate(results)
