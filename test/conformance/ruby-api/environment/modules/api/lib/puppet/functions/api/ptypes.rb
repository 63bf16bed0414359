Puppet::Functions.create_function(:'api::ptypes') do

  dispatch :run do
    optional_repeated_param 'Any', :args
  end
  def run(*args)
    [Puppet::Pops::Types::PStringType::DEFAULT, Puppet::Pops::Types::PIntegerType::DEFAULT, Puppet::Pops::Types::PArrayType::DEFAULT, Puppet::Pops::Types::PHashType::DEFAULT, Puppet::Pops::Types::PBooleanType::DEFAULT, Puppet::Pops::Types::PAnyType::DEFAULT].map(&:to_s).join(' ')
  end
end
