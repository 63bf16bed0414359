Puppet::Functions.create_function(:'api::catress', Puppet::Functions::InternalFunction) do

  dispatch :run do
    scope_param
    optional_repeated_param 'Any', :args
  end
  def run(scope, *args)
    scope.catalog.resources.map(&:to_s).sort.to_s
  end
end
