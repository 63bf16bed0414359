Puppet::Functions.create_function(:'api::compiler', Puppet::Functions::InternalFunction) do

  dispatch :run do
    scope_param
    optional_repeated_param 'Any', :args
  end
  def run(scope, *args)
    c=scope.compiler; [c.environment.name.to_s, c.node.name, c.catalog.class.name, c.topscope.class.name, c.environment.to_s].to_s
  end
end
