
Puppet::Functions.create_function(:'api::time_wrong') do

  dispatch :run do
    optional_repeated_param 'Any', :args
  end
  def run(*args)
    t = Puppet::Pops::Time; [-> { t::Timespan.parse('x') }, -> { t::Timestamp.parse('x') }, -> { t::Timestamp.parse('2020', '%m-%d') }, -> { t::Timespan.parse('x', '%H') }].map { |p| begin; p.call.to_s; rescue StandardError => e; [e.class.name, e.message]; end }
  end
end
