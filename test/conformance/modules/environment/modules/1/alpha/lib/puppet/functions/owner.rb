Puppet::Functions.create_function(:owner) do
  def owner
    'alpha'
  end
end
