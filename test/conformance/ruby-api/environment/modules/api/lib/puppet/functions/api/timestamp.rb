
Puppet::Functions.create_function(:'api::timestamp') do

  dispatch :run do
    optional_repeated_param 'Any', :args
  end
  def run(*args)
    t = Puppet::Pops::Time::Timestamp; a = t.parse('2020-01-02T03:04:05.5 UTC'); b = t.parse('2020/01/02', '%Y/%m/%d'); c = t.parse('2020-01-02T03:04:05', nil, '+02:00'); s = Puppet::Pops::Time::Timespan.from_hash('hours' => 1); [a.to_s, b.to_s, c.to_s, t.from_hash('string' => '2021-01-01').to_s, (a - b).to_s, (a - b).class.name, (a + s).to_s, (a - s).to_s, (s + a).to_s, (a + 1).to_s, a > b]
  end
end
