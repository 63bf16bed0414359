# Records what Bolt answers for the plans of `modules/`: RUBYLIB=BOLT/lib ruby record.rb > results.json
# Every plan of the module `t` is run once, on targets that are this machine; all but the time is what plans see.

require 'bolt'
require 'bolt/cli'
require 'json'
require 'tmpdir'

class Collector
  attr_reader :events

  def initialize
    @events = []
  end

  def handle_event(event)
    case event[:type]
    when :message, :verbose then @events << { event[:type] => event[:message] }
    when :log then @events << { "log_#{event[:level]}" => event[:message] }
    when :plan_start, :plan_finish then @events << { event[:type] => event[:plan] }
    when :step_start
      @events << { event[:type] => event[:description], 'targets' => event[:targets].map(&:name) }
    when :enable_default_output, :disable_default_output then @events << { event[:type] => true }
    end
  end
end

# Plans are given a PuppetDB that knows what this one knows.
class FakePuppetdb
  def make_query(query, _path = nil, _instance = nil)
    [{ 'query' => query }]
  end

  def facts_for_node(certnames, _instance = nil)
    certnames.to_h { |name| [name, { 'os' => { 'family' => 'Debian' }, 'name' => name }] }
  end
end

here = __dir__
Dir.mktmpdir do |directory|
  File.write("#{directory}/bolt-project.yaml", "name: recorded\nmodulepath: #{here}/modules\nanalytics: false\n")
  File.write("#{directory}/inventory.yaml", File.read("#{here}/inventory.yaml"))
  Bolt::Logger.initialize_logging
  project = Bolt::Project.create_project(directory)
  config = Bolt::Config.from_project(project, {})
  modulepath = Bolt::Config::Modulepath.new(config.modulepath)
  only = ARGV.first
  results = Dir["#{here}/modules/t/plans/**/*.{pp,yaml}"].sort.to_h do |file|
    base = file.delete_prefix("#{here}/modules/t/plans/").sub(/\.(pp|yaml)\z/, '').gsub('/', '::')
    name = base == 'init' ? 't' : "t::#{base}"
    next [name, nil] if only && name != only
    pal = Bolt::PAL.new(modulepath, nil, config.project.resource_types)
    plugins = Bolt::Plugin.new(config, pal)
    inventory = Bolt::Inventory.from_config(config, plugins)
    executor = Bolt::Executor.new(10, Bolt::Analytics::NoopClient.new)
    collector = Collector.new
    executor.subscribe(collector)
    result = pal.run_plan(name, {}, executor, inventory, FakePuppetdb.new, Bolt::Applicator.new(inventory, executor, modulepath, [], nil, FakePuppetdb.new, nil, 2, {}))
    executor.shutdown
    [name, { 'status' => result.status, 'value' => JSON.parse("[#{result.to_json}]")[0], 'events' => collector.events }]
  end.compact
  puts JSON.pretty_generate(results).gsub("#{here}/modules/", '/modules/')
end
