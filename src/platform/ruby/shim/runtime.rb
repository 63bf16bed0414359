# frozen_string_literal: true

module Bunraku
  # The environments as code finds them: only the one that is compiled.
  module Environments
    module_function

    def get(name)
      environment = Host.scope.environment
      environment if environment.name == name.to_sym
    end

    def get!(name)
      get(name) || raise(Puppet::Error, "Could not find a directory environment named '#{name}'")
    end

    def list
      [Host.scope.environment]
    end
  end

  # HTTP with the certificate of this server where the other side is of its authority: `Puppet.runtime[:http]`.
  class Http
    Response = Struct.new(:url, :code, :reason, :body, :headers) do
      def success?
        code.between?(200, 299)
      end

      def [](name)
        headers[name.downcase]&.first
      end
    end

    %w[get head put post delete].each do |verb|
      define_method(verb) do |url, *body, headers: {}, params: {}, options: {}|
        request(verb, url, body.first, headers: headers, params: params, options: options)
      end
    end

    private

    def request(verb, url, body, headers:, params:, options:)
      uri = url.dup
      uri.query = URI.encode_www_form(params) unless params.empty?
      message = Net::HTTP.const_get(verb.capitalize).new(uri, headers)
      message.body = body if body
      credentials = options[:basic_auth]
      message.basic_auth(credentials[:user], credentials[:password]) if credentials
      answer = connect(uri, options) { |connection| connection.request(message) }
      Response.new(uri, answer.code.to_i, answer.message, answer.body.to_s, answer.to_hash)
    end

    def connect(uri, options, &block)
      tls = uri.scheme == 'https' ? identity(options) : {}
      Net::HTTP.start(uri.host, uri.port, use_ssl: uri.scheme == 'https', open_timeout: 60, **tls, &block)
    end

    def identity(options)
      settings = Puppet.settings
      store = OpenSSL::X509::Store.new
      store.set_default_paths if options[:include_system_store]
      authority = settings[:localcacert]
      store.add_file(authority) if authority && File.readable?(authority)
      files = [settings[:hostcert], settings[:hostprivkey]]
      return { cert_store: store } unless files.all? { |file| file && File.readable?(file) }

      certificate, key = files.map { |file| File.read(file) }
      { cert_store: store, cert: OpenSSL::X509::Certificate.new(certificate), key: OpenSSL::PKey.read(key) }
    end
  end
end

module Puppet
  class << self
    def runtime
      @runtime ||= { http: Bunraku::Http.new }.freeze
    end
  end
end

# The facts of the server itself, where Facter is installed.
Object.autoload(:Facter, 'facter')
