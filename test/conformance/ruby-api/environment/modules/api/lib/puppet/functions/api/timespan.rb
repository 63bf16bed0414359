
Puppet::Functions.create_function(:'api::timespan') do

  dispatch :run do
    optional_repeated_param 'Any', :args
  end
  def run(*args)
    t = Puppet::Pops::Time::Timespan; a = t.from_hash('days' => 1, 'hours' => 2, 'seconds' => 3, 'milliseconds' => 4); b = t.parse('0-01:02:03.5'); c = t.parse('12', '%M'); [a.to_s, b.to_s, c.to_s, t.from_hash('string' => '1-00:00:01').to_s, t.from_fields(true, 0, 1, 2, 3).to_s, (a + b).to_s, (a - b).to_s, (-b).to_s, (b * 2).to_s, (a / c), (b / 2).to_s, a.to_hash, b.to_hash(true), [b.days, b.hours, b.minutes, b.seconds, b.milliseconds, b.nanoseconds, b.total_hours, b.total_minutes, b.total_seconds, b.negative?]]
  end
end
