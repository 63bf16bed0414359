Puppet::Functions.create_function(:'api::known2', Puppet::Functions::InternalFunction) do

  dispatch :run do
    scope_param
    optional_repeated_param 'Any', :args
  end
  def run(scope, *args)
    t=scope.compiler.environment.known_resource_types; [t.definition('d').name, t.find_hostclass('q').name, t.hostclass('zz').nil?].to_s
  end
end
