Puppet::Functions.create_function(:'api::findres', Puppet::Functions::InternalFunction) do

  dispatch :run do
    scope_param
    optional_repeated_param 'Any', :args
  end
  def run(scope, *args)
    [scope.findresource('Notify[a]').to_s, scope.findresource('Notify','a').to_s, scope.compiler.findresource('Notify','a').to_s, scope.findresource('Notify[zz]').nil?].to_s
  end
end
