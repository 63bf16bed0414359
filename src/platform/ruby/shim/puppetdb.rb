# frozen_string_literal: true

module Puppet
  module Util
    # What functions of modules use of PuppetDB's part of Puppet.
    module Puppetdb
      class << self
        def query_puppetdb(query)
          Bunraku::Host.call_function(Bunraku::Host.global_scope.bunraku_id, 'puppetdb_query', [query], nil)
        end
      end
    end
  end
end
