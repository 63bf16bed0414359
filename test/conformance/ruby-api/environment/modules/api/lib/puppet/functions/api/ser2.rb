Puppet::Functions.create_function(:'api::ser2') do

  dispatch :run do
    optional_repeated_param 'Any', :args
  end
  def run(*args)
    Puppet::Pops::Serialization::FromDataConverter.convert({'__ptype'=>'Sensitive','__pvalue'=>'x'}).class.name
  end
end
