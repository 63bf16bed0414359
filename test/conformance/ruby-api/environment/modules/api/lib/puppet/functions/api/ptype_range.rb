Puppet::Functions.create_function(:'api::ptype_range') do

  dispatch :run do
    optional_repeated_param 'Any', :args
  end
  def run(*args)
    [args[0].from,args[0].to].to_s
  end
end
