Puppet::Functions.create_function(:'api::scope_var', Puppet::Functions::InternalFunction) do

  dispatch :run do
    scope_param
    optional_repeated_param 'Any', :args
  end
  def run(scope, *args)
    [scope['facts'].class.name, scope.lookupvar('kernel'), scope['::kernel'], scope.exist?('nope'), scope.include?('kernel')].to_s
  end
end
