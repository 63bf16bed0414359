Puppet::Parser::Functions.newfunction(:asks_by_scope, type: :rvalue) do |args|
  call_function('puppetdb_query', args)
end
