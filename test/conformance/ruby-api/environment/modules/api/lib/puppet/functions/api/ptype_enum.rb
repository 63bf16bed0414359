Puppet::Functions.create_function(:'api::ptype_enum') do

  dispatch :run do
    optional_repeated_param 'Any', :args
  end
  def run(*args)
    args[0].values.to_s
  end
end
