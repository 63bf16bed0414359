Puppet::Functions.create_function(:mixed) do
  def mixed
    'newer of gamma'
  end
end
