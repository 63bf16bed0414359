Puppet::Functions.create_function(:'api::ptype_elem') do

  dispatch :run do
    optional_repeated_param 'Any', :args
  end
  def run(*args)
    [args[0].element_type.to_s,args[0].size_type.to_s].to_s
  end
end
