require 'puppet/util/puppetdb'

Puppet::Functions.create_function(:'asks::by_library') do
  dispatch :ask do
    param 'Any', :query
  end

  def ask(query)
    Puppet::Util::Puppetdb.query_puppetdb(query).map { |row| row['certname'] }
  end
end
