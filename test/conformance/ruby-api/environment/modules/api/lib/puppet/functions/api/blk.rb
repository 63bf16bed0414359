Puppet::Functions.create_function(:'api::blk') do

  dispatch :run do
    optional_block_param
  end
  def run(*args)
    (block_given? ? yield(2) : 'none').to_s
  end
end
