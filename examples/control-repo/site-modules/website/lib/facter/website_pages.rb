# How many pages of the example a node has: shows that facts of modules reach the agents.
Facter.add(:website_pages) do
  setcode do
    Dir.glob('/tmp/bunraku-demo/*/website/*.html').size
  end
end
