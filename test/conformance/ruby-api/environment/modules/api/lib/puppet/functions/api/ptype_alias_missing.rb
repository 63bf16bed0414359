Puppet::Functions.create_function(:'api::ptype_alias_missing') do
  dispatch :run do
    param 'Any', :letter
  end
  def run(letter)
    begin
      letter.first
    rescue NoMethodError => e
      e.name.to_s
    end
  end
end
