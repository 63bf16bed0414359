Puppet::Functions.create_function(:'api::envlookup') do

  dispatch :run do
    optional_repeated_param 'Any', :args
  end
  def run(*args)
    e=Puppet.lookup(:current_environment); [e.name.to_s, e.class.name].to_s
  end
end
