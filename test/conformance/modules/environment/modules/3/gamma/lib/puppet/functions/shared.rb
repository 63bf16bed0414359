Puppet::Functions.create_function(:shared) do
  def shared
    'gamma'
  end
end
