Puppet::Functions.create_function(:shared) do
  def shared
    'delta'
  end
end
