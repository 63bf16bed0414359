Puppet::Functions.create_function(:outer) do
  def outer
    "environment, #{call_function('owner')}"
  end
end
