Puppet::Functions.create_function(:'api::tc_infer') do

  dispatch :run do
    optional_repeated_param 'Any', :args
  end
  def run(*args)
    [Puppet::Pops::Types::TypeCalculator.infer(1),Puppet::Pops::Types::TypeCalculator.infer('a'),Puppet::Pops::Types::TypeCalculator.infer([1,'a']),Puppet::Pops::Types::TypeCalculator.infer_set([1,'a']),Puppet::Pops::Types::TypeCalculator.infer({'a'=>1})].map(&:to_s).join(' ')
  end
end
