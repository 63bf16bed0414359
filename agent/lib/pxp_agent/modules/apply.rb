# frozen_string_literal: true

require 'json'
require 'uri'
require_relative 'process_module'

module PxpAgent
  module Modules
    # Applies a catalog that comes with the request; `prep` brings an environment's plugins and answers with facts.
    class Apply
      include ProcessModule

      PROGRAM = File.expand_path('../../../libexec/apply-catalog', __dir__)
      ACTIONS = {
        'apply' => Shape.object({ 'catalog' => Hash, 'apply_options' => Hash }, {}, open: true),
        'prep' => Shape.object({ 'environment' => String })
      }.freeze

      def initialize(configuration, downloads)
        @configuration = configuration
        @downloads = downloads
      end

      def name
        'apply'
      end

      def actions
        ACTIONS
      end

      def prepare(request, _directory)
        files = @configuration.tls_files
        raise StandardError, 'ssl-crl setting is requried for apply' unless files[:crl]

        environment = environment_of(request)
        order = { 'action' => request.action, 'certname' => Tls.new(files).certname, 'environment' => environment,
                  'catalog' => request.params['catalog'],
                  'apply_options' => request.params['apply_options'] || {},
                  'plugins' => @downloads.cache_directory(environment), 'servers' => @configuration.server_uris,
                  'files' => files, 'proxy' => @configuration.server_proxy }
        Command.of(RbConfig.ruby, [PROGRAM], input: JSON.generate(order))
      end

      private

      def environment_of(request)
        return request.params['environment'] if request.action == 'prep'

        request.params['catalog']['environment'].to_s
      end
    end
  end
end
