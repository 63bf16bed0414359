Puppet::Functions.create_function(:'api::closure') do

  dispatch :run do
    optional_repeated_param 'Any', :args
  end
  def run(*args)
    closure_scope['clientcert'].to_s + closure_scope.lookupvar('kernel').to_s
  end
end
