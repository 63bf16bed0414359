Puppet::Functions.create_function(:'asks::by_call') do
  dispatch :ask do
    param 'Any', :query
  end

  def ask(query)
    call_function('puppetdb_query', query)
  end
end
