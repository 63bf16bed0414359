Puppet::Functions.create_function(:'api::pfn4', Puppet::Functions::InternalFunction) do

  dispatch :run do
    scope_param
    optional_repeated_param 'Any', :args
  end
  def run(scope, *args)
    Puppet::Parser::Functions.function('api3x'); scope.function_api3x(['q'])
  end
end
