Puppet::Functions.create_function(:'api::envlookup2') do

  dispatch :run do
    optional_repeated_param 'Any', :args
  end
  def run(*args)
    Puppet.lookup(:environments).get('production').name.to_s
  end
end
