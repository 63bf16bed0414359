# What the real PuppetDB terminus makes of facts and reports, as JSON on standard output.
#
#   ruby -I TERMINUS/usr/lib/ruby/vendor_ruby record-terminus.rb report FILE     # FILE: JSON as an agent sends it
#   ruby -I TERMINUS/usr/lib/ruby/vendor_ruby record-terminus.rb facts FILE
#
# TERMINUS is where the package puppet-terminus-puppetdb was unpacked to. Times of sending differ each time.
require 'json'
require 'puppet'
Puppet.initialize_settings(['--confdir', '/nonexistent', '--vardir', '/nonexistent'])
Puppet[:node_name_value] = 'puppet.example.com'
require 'puppet/util/puppetdb'
require 'puppet/util/puppetdb/command'

class Puppet::Util::Puppetdb::Command
  def submit
    puts JSON.generate('command' => command, 'version' => version, 'certname' => certname, 'payload' => JSON.parse(payload))
  end
end

module Puppet::Util::Puppetdb
  Recording = Struct.new(:include_unchanged_resources) do
    def include_unchanged_resources?
      include_unchanged_resources
    end
  end
  def self.config
    Recording.new(ENV['INCLUDE_UNCHANGED'] == 'yes')
  end
end

kind, file = ARGV
text = File.read(file, encoding: 'UTF-8')
case kind
when 'report'
  require 'puppet/reports'
  require 'puppet/reports/puppetdb'
  report = Puppet::Transaction::Report.convert_from(:json, text)
  report.extend(Puppet::Reports.report(:puppetdb))
  report.process
when 'facts'
  require 'puppet/indirector/facts/puppetdb'
  facts = Puppet::Node::Facts.convert_from(:json, text)
  trusted = Puppet::Context::TrustedInformation.new('remote', facts.name, { 'pp_role' => 'web' }, {})
  Puppet.override(trusted_information: trusted) do
    request = Puppet::Indirector::Request.new(:facts, :save, facts.name, facts, environment: 'production')
    Puppet::Node::Facts::Puppetdb.new.save(request)
  end
end
