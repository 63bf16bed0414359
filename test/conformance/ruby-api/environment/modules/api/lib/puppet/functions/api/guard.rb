Puppet::Functions.create_function(:'api::guard', Puppet::Functions::InternalFunction) do

  dispatch :run do
    scope_param
    optional_repeated_param 'Any', :args
  end
  def run(scope, *args)
    scope.with_guarded_scope { scope['zz'] = 1; scope['zz'] }.to_s; 'g'
  end
end
