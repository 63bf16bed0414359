Puppet::Functions.create_function(:'api::ptype_alias') do
  dispatch :run do
    param 'Any', :letter
    param 'Any', :entry
    param 'Any', :record
  end
  def run(letter, entry, record)
    [letter.values, letter.name, letter.resolved_type.to_s, letter.resolved_type.class.name, letter.respond_to?(:values),
     letter.respond_to?(:types), entry.map { |type| type.class.name }, entry.types.first.values, entry.types.size,
     record.elements.map(&:name), record.first.name, record.elements.first.value_type.values, [letter, [entry]].flatten.size,
     letter == letter.resolved_type, letter.instance?('a'), letter.assignable?(letter.resolved_type)].to_s
  end
end
