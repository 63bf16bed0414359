Puppet::Functions.create_function(:'api::nodeapi', Puppet::Functions::InternalFunction) do

  dispatch :run do
    scope_param
    optional_repeated_param 'Any', :args
  end
  def run(scope, *args)
    n=scope.compiler.node; [n.name,n.environment.to_s,n.facts.class.name,n.parameters['kernel'].to_s,n.classes.to_s].to_s
  end
end
