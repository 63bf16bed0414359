Puppet::Functions.create_function(:outer) do
  def outer
    call_function('owner')
  end
end
