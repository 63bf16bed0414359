Puppet::Functions.create_function(:'api::ltypes_bad') do
  local_types do
    type 'LT = Hash[String, Integer]'
  end
  dispatch :run do
    param 'LT', :args
  end
  def run(*args)
    args.to_s
  end
end
