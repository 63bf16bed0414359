# frozen_string_literal: true

require 'net/http'
require 'openssl'

# Puppet's client for HTTP, as `Puppet.runtime[:http]` and `Puppet::Network::HttpPool` give it to code of modules.
module Puppet
  # What a TLS connection is made with: by default the certificate of this server, and its authority.
  module SSL
    class SSLError < Puppet::Error; end
    class CertVerifyError < SSLError; end

    SSLContext = Struct.new(:store, :cacerts, :crls, :private_key, :client_cert, :client_chain, :revocation, :verify_peer, keyword_init: true) do
      def initialize(cacerts: [], crls: [], client_chain: [], revocation: false, verify_peer: true, **others)
        super
      end

      # Options of `Net::HTTP`.
      def bunraku_options
        mode = verify_peer ? OpenSSL::SSL::VERIFY_PEER : OpenSSL::SSL::VERIFY_NONE
        { cert_store: store, verify_mode: mode, cert: client_cert, key: private_key }.compact
      end
    end

    class SSLProvider
      def create_insecure_context
        SSLContext.new(store: OpenSSL::X509::Store.new, verify_peer: false)
      end

      def create_root_context(cacerts:, crls: [], revocation: false)
        SSLContext.new(store: store_of(cacerts, crls), cacerts: cacerts, crls: crls, revocation: revocation)
      end

      def create_system_context(cacerts: [], path: nil, include_client_cert: false)
        store = store_of(cacerts, [])
        store.set_default_paths
        store.add_file(path) if path && File.readable?(path)
        SSLContext.new(store: store, cacerts: cacerts, **(include_client_cert ? own_identity : {}))
      end

      def create_context(cacerts:, crls: [], private_key: nil, client_cert: nil, revocation: false, include_system_store: false)
        store = store_of(cacerts, crls)
        store.set_default_paths if include_system_store
        SSLContext.new(store: store, cacerts: cacerts, crls: crls, private_key: private_key, client_cert: client_cert, revocation: revocation)
      end

      def load_context(include_system_store: false, **)
        create_context(cacerts: own_authorities, include_system_store: include_system_store, **own_identity)
      end

      # The certificates of the server's own authority.
      def own_authorities
        file = Puppet.settings[:localcacert]
        return [] unless file && File.readable?(file)

        File.read(file).scan(/-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----/m).map { |text| OpenSSL::X509::Certificate.new(text) }
      end

      private

      def own_identity
        files = [Puppet.settings[:hostcert], Puppet.settings[:hostprivkey]]
        return {} unless files.all? { |file| file && File.readable?(file) }

        certificate, key = files.map { |file| File.read(file) }
        { client_cert: OpenSSL::X509::Certificate.new(certificate), private_key: OpenSSL::PKey.read(key) }
      end

      def store_of(cacerts, crls)
        store = OpenSSL::X509::Store.new
        store.purpose = OpenSSL::X509::PURPOSE_ANY
        cacerts.each { |certificate| store.add_cert(certificate) }
        crls.each { |list| store.add_crl(list) }
        store
      end
    end
  end

  module HTTP
    class HTTPError < Puppet::Error; end
    class ConnectionError < HTTPError; end
    class RouteError < HTTPError; end
    class ProtocolError < HTTPError; end
    class SerializationError < HTTPError; end

    class ResponseError < HTTPError
      attr_reader :response

      def initialize(response)
        super(response.reason)
        @response = response
      end
    end

    class TooManyRedirects < HTTPError
      def initialize(address)
        super("Too many HTTP redirections for #{address}")
      end
    end

    class TooManyRetryAfters < HTTPError
      def initialize(address)
        super("Too many HTTP retries for #{address}")
      end
    end

    class Response
      attr_reader :url

      def initialize(url, answer)
        @url = url
        @answer = answer
      end

      def code
        @answer.code.to_i
      end

      def reason
        @answer.message
      end

      def body
        @answer.body
      end

      # The body piece by piece, as it comes.
      def read_body(&block)
        raise ArgumentError, 'A block is required' unless block

        @answer.read_body(&block)
      end

      def success?
        @answer.is_a?(Net::HTTPSuccess)
      end

      def [](name)
        @answer[name]
      end

      def each_header(&block)
        @answer.each_header(&block)
      end
    end

    # Each request has a connection of its own.
    class Client
      REDIRECTS = [301, 302, 307].freeze
      OPEN_TIMEOUT_SECONDS = 60

      def initialize(ssl_context: nil, redirect_limit: 10, **)
        @ssl_context = ssl_context
        @redirect_limit = redirect_limit
      end

      def get(url, headers: {}, params: {}, options: {}, &block)
        execute(request_for('Get', url, nil, headers, params), options, &block)
      end

      def head(url, headers: {}, params: {}, options: {})
        execute(request_for('Head', url, nil, headers, params), options)
      end

      def put(url, body, headers: {}, params: {}, options: {})
        execute(request_for('Put', url, body, headers, params), options)
      end

      def post(url, body, headers: {}, params: {}, options: {}, &block)
        execute(request_for('Post', url, body, headers, params), options, &block)
      end

      def delete(url, headers: {}, params: {}, options: {})
        execute(request_for('Delete', url, nil, headers, params), options)
      end

      # Yields the connection. Whatever fails is a `Puppet::Error`.
      def connect(uri, options: {})
        began = Process.clock_gettime(Process::CLOCK_MONOTONIC)
        connected = false
        Net::HTTP.start(uri.hostname, uri.port, use_ssl: uri.scheme == 'https', open_timeout: OPEN_TIMEOUT_SECONDS, **tls(uri, options)) do |http|
          connected = true
          yield http if block_given?
        end
      rescue Puppet::Error
        raise
      rescue StandardError => e
        seconds = (Process.clock_gettime(Process::CLOCK_MONOTONIC) - began).round(3)
        raise failure(uri, seconds, e, connected)
      end

      def close
        nil
      end

      private

      def request_for(verb, url, body, headers, params)
        unless params.empty?
          url = url.dup
          url.query = query_of(params)
        end
        request = Net::HTTP.const_get(verb).new(url, default_headers.merge(headers))
        return request unless %w[Put Post].include?(verb)

        name = verb.downcase
        raise ArgumentError, "'#{name}' requires a string 'body' argument" unless body.is_a?(String)
        raise ArgumentError, "'#{name}' requires a 'content-type' header" unless request['Content-Type']

        request.body = body
        request
      end

      def default_headers
        { 'X-Puppet-Version' => Puppet.version,
          'User-Agent' => "Puppet/#{Puppet.version} Ruby/#{RUBY_VERSION}-p#{RUBY_PATCHLEVEL} (#{RUBY_PLATFORM})" }
      end

      def query_of(params)
        pairs = params.flat_map { |name, value| value.is_a?(Array) ? value.map { |item| [name, item] } : [[name, value]] }
        pairs.reject { |_, value| value.nil? }.map { |name, value| "#{name}=#{query_text(value)}" }.join('&')
      end

      def query_text(value)
        case value
        when true, false, String, Symbol, Integer, Float then URI.encode_www_form_component(value.to_s).gsub('+', '%20')
        else raise SerializationError, "HTTP REST queries cannot handle values of type '#{value.class}'"
        end
      end

      def execute(request, options, &block)
        authenticate(request, options[:basic_auth])
        limit = options.fetch(:redirect_limit, @redirect_limit)
        redirects = 0
        loop do
          response = exchange(request, options, &block)
          return response unless REDIRECTS.include?(response.code)
          raise TooManyRedirects, request.uri if redirects >= limit

          redirects += 1
          request = redirected(request, response)
        end
      end

      def authenticate(request, given)
        uri = request.uri
        given ||= { user: uri.user, password: uri.password } if uri.user && uri.password
        request.basic_auth(given[:user], given[:password]) if given
      end

      def exchange(request, options)
        response = nil
        connect(request.uri, options: options) do |http|
          http.request(request) do |answer|
            response = Response.new(request.uri, answer)
            block_given? && !REDIRECTS.include?(response.code) ? yield(response) : response.body
          end
        end
        response
      end

      # Credentials stay with the host that they are for.
      def redirected(request, response)
        location = location_of(response)
        uri = request.uri.merge(location)
        following = request.class.new(uri)
        following.body = request.body
        request.each do |name, value|
          next if %w[host accept-encoding].include?(name.downcase)
          next if %w[authorization cookie].include?(name.downcase) && uri.host.casecmp(request.uri.host) != 0

          following[name] = value
        end
        following
      end

      def location_of(response)
        URI.parse(response['location'] || raise(ProtocolError, 'Location response header is missing'))
      rescue URI::InvalidURIError => e
        raise ProtocolError.new("Location URI is invalid: #{e.message}", e)
      end

      def tls(uri, options)
        uri.scheme == 'https' ? context(options).bunraku_options : {}
      end

      def context(options)
        given = options[:ssl_context]
        return given || @ssl_context || Puppet.lookup(:ssl_context) unless options[:include_system_store]
        raise HTTPError, 'The ssl_context and include_system_store parameters are mutually exclusive' if given

        provider = SSL::SSLProvider.new
        provider.create_system_context(cacerts: provider.own_authorities, include_client_cert: true)
      end

      def failure(uri, seconds, error, connected)
        text = case error
               when Net::OpenTimeout then "Request to #{uri} timed out connect operation after #{seconds} seconds"
               when Net::ReadTimeout then "Request to #{uri} timed out read operation after #{seconds} seconds"
               when EOFError then "Request to #{uri} interrupted after #{seconds} seconds"
               else "Request to #{uri} failed after #{seconds} seconds: #{error.message}"
               end
        return SSL::CertVerifyError.new(error.message, error) if error.message.include?('certificate verify failed')

        connected ? HTTPError.new(text, error) : ConnectionError.new(text, error)
      end
    end
  end

  module Network
    # The older way to the client: connections to one host, answers of `Net::HTTP`.
    module HttpPool
      def self.connection(host, port, use_ssl: true, ssl_context: nil)
        Connection.new(host, port, use_ssl, ssl_context)
      end

      class Connection
        attr_reader :address, :port

        def initialize(host, port, use_ssl, ssl_context)
          @address = host
          @port = port
          @use_ssl = use_ssl
          @options = ssl_context ? { ssl_context: ssl_context } : {}
        end

        def use_ssl?
          @use_ssl
        end

        def get(path, headers = {}, options = {})
          answer { |client| client.get(uri(path), headers: headers || {}, options: @options.merge(options)) }
        end
        alias request_get get

        def head(path, headers = {}, options = {})
          answer { |client| client.head(uri(path), headers: headers || {}, options: @options.merge(options)) }
        end
        alias request_head head

        def delete(path, headers = {}, options = {})
          answer { |client| client.delete(uri(path), headers: headers || {}, options: @options.merge(options)) }
        end

        def post(path, body, headers = {}, options = {})
          answer { |client| client.post(uri(path), body, headers: with_type(headers), options: @options.merge(options)) }
        end
        alias request_post post

        def put(path, body, headers = {}, options = {})
          answer { |client| client.put(uri(path), body, headers: with_type(headers), options: @options.merge(options)) }
        end

        def to_s
          "#{@use_ssl ? 'https' : 'http'}://#{address}:#{port}"
        end

        private

        def answer
          yield(HTTP::Client.new).instance_variable_get(:@answer)
        end

        def uri(path)
          URI.parse("#{self}#{path}")
        end

        def with_type(headers)
          names = (headers || {}).keys.map { |name| name.to_s.downcase }
          names.include?('content-type') ? headers : { 'Content-Type' => 'application/x-www-form-urlencoded' }.merge(headers || {})
        end
      end
    end
  end
end
