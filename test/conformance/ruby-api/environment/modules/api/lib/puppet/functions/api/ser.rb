Puppet::Functions.create_function(:'api::ser') do

  dispatch :run do
    optional_repeated_param 'Any', :args
  end
  def run(*args)
    Puppet::Pops::Serialization::ToDataConverter.convert({'a'=>[1,:default,nil]}, rich_data: true).to_s
  end
end
