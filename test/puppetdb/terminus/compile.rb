# Compiles manifests with the real Puppet and the real terminus of PuppetDB, one after the other.
# Standard input: {"settings": {...}, "cases": [{"node", "code", "facts", "saves"}]}; standard output: one result for each.
require 'json'
require 'puppet'

# Sends what a server sends after a compile.
def save(catalog, certname, environment)
  options = { transaction_uuid: '00000000-0000-4000-8000-000000000000', environment: environment }
  request = Puppet::Indirector::Request.new(:catalog, :save, certname, catalog, options)
  Puppet::Resource::Catalog.indirection.terminus(:puppetdb).save(request)
end

def compile(given)
  Puppet[:code] = given['code']
  certname = given['node']
  environment = Puppet::Node::Environment.create(:production, [given['modules']].compact)
  facts = Puppet::Node::Facts.new(certname, given['facts'] || {})
  node = Puppet::Node.new(certname, facts: facts, environment: environment)
  node.merge(facts.values)
  node.trusted_data = { 'authenticated' => 'remote', 'certname' => certname, 'extensions' => {} }
  context = { current_environment: environment, loaders: Puppet::Pops::Loaders.new(environment), rich_data: true }
  Puppet.override(context) do
    catalog = Puppet::Parser::Compiler.compile(node)
    save(catalog, certname, environment) if given['saves']
    { 'catalog' => JSON.generate(catalog.filter(&:virtual?).to_data_hash) }
  end
rescue Puppet::Error => e
  { 'error' => e.message }
end

def logged
  logs = []
  destination = Puppet::Test::LogCollector.new(logs)
  Puppet::Util::Log.newdestination(destination)
  result = yield
  result.merge('logs' => logs.map { |line| [line.level, line.to_s] })
ensure
  Puppet::Util::Log.close(destination)
end

input = JSON.parse($stdin.read)
Puppet.initialize_settings(input['settings'].flat_map { |name, value| ["--#{name}", value.to_s] })
Puppet[:storeconfigs] = true if input['storeconfigs']
ssl = Puppet::SSL::SSLProvider.new.load_context(certname: Puppet[:certname])
results = Puppet.override(ssl_context: ssl) do
  input['cases'].map { |given| logged { compile(given) } }
end
puts JSON.generate(results)
