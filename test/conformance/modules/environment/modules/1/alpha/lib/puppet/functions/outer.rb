Puppet::Functions.create_function(:outer) do
  def outer
    'no'
  end
end
