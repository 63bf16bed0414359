Puppet::Functions.create_function(:'api::ptype_each') do
  dispatch :run do
    repeated_param 'Any', :args
  end
  def run(*args)
    args.map do |type|
      given = []
      begin
        type.each { |item| given << (item.respond_to?(:name) && item.class.name.end_with?('Element') ? item.name : item.to_s) }
      rescue NoMethodError
        given = 'none'
      end
      without = begin
        type.each.to_a.size
      rescue NoMethodError
        'none'
      end
      [given, without, type.respond_to?(:each), type.is_a?(Enumerable)]
    end.to_s
  end
end
