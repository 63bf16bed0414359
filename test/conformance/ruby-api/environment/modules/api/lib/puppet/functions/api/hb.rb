Puppet::Functions.create_function(:'api::hb') do
  dispatch :lk do
    param 'Variant[String,Numeric]', :key
    param 'Hash', :options
    param 'Puppet::LookupContext', :context
  end
  def lk(key, options, context)
    return context.cached_value(key) if context.cache_has_key(key)
    context.explain { "looking #{key}" }
    return context.cache(key, 'v-' + key.to_s + context.environment_name.to_s + context.module_name.to_s) if key == 'hit'
    return context.interpolate('%{facts.kernel}') if key == 'interp'
    if key == 'all'
      context.cache_all({'p'=>1,'q'=>2})
      return context.cached_entries.to_a.to_s
    end
    raise Puppet::DataBinding::LookupError, 'broken backend' if key == 'boom'
    return context.cached_file_data('/etc/hostname') { |c| c.length > 0 }.to_s if key == 'file'
    context.not_found
  end
end
