Puppet::Functions.create_function(:'api::ptype_struct') do

  dispatch :run do
    optional_repeated_param 'Any', :args
  end
  def run(*args)
    args[0].elements.map {|e| e.name }.to_s
  end
end
