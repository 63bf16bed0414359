Puppet::Functions.create_function(:'api::tf_many') do

  dispatch :run do
    optional_repeated_param 'Any', :args
  end
  def run(*args)
    f=Puppet::Pops::Types::TypeFactory; [f.string,f.boolean,f.float,f.numeric,f.array_of(f.integer),f.hash_of(f.string,f.integer),f.optional(f.string),f.variant(f.string,f.undef),f.range(1,5),f.enum('a','b'),f.pattern('a'),f.regexp,f.any,f.scalar,f.undef,f.default,f.data,f.collection,f.callable(f.string),f.tuple([f.string,f.integer]),f.struct({'a'=>f.string}),f.type_type(f.string),f.sensitive,f.not_undef,f.timespan,f.timestamp,f.uri,f.binary,f.sem_ver].map(&:to_s).join('|')
  end
end
