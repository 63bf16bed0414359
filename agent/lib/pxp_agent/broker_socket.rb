# frozen_string_literal: true

require 'openssl'
require 'socket'
require 'timeout'
require 'uri'

module PxpAgent
  # Opens the way to a broker: TCP, perhaps through a proxy, TLS, and the upgrade to a WebSocket.
  module BrokerSocket
    # The broker cannot be reached or is not acceptable.
    class Unreachable < StandardError; end

    MAX_HEAD_BYTES = 16_384
    GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'

    # @param uri - `wss://host:port/path`
    # @param timeout - seconds for everything
    # @return an open SSLSocket
    def self.open(uri, tls, timeout:, proxy: nil)
      raw = nil
      Timeout.timeout(timeout, Unreachable, "no answer within #{timeout} s") do
        raw = connect(uri, proxy)
        raw.setsockopt(Socket::IPPROTO_TCP, Socket::TCP_NODELAY, 1)
        socket = secure(raw, uri, tls)
        upgrade(socket, uri)
        raw = nil
        socket
      end
    rescue SystemCallError, SocketError, IOError, OpenSSL::OpenSSLError => e
      raise Unreachable, e.message
    ensure
      raw.close if raw && !raw.closed?
    end

    def self.connect(uri, proxy)
      return TCPSocket.new(uri.host, uri.port) unless proxy

      place = URI.parse(proxy)
      socket = TCPSocket.new(place.host, place.port)
      socket.write("CONNECT #{uri.host}:#{uri.port} HTTP/1.1\r\nHost: #{uri.host}:#{uri.port}\r\n#{login(place)}\r\n")
      status = read_head(socket)[%r{\AHTTP/1\.\d (\d+)}, 1]
      raise Unreachable, "the proxy answers #{status.inspect}" unless status == '200'

      socket
    end
    private_class_method :connect

    def self.login(place)
      return '' unless place.user

      credentials = [place.user, place.password].map { |part| URI.decode_www_form_component(part.to_s) }.join(':')
      "Proxy-Authorization: Basic #{[credentials].pack('m0')}\r\n"
    end
    private_class_method :login

    def self.secure(raw, uri, tls)
      socket = OpenSSL::SSL::SSLSocket.new(raw, tls.context)
      socket.sync_close = true
      socket.hostname = uri.host
      socket.connect
      socket.post_connection_check(uri.host)
      socket
    end
    private_class_method :secure

    def self.upgrade(socket, uri)
      key = [SecureRandom.random_bytes(16)].pack('m0')
      path = uri.path.empty? ? "/" : uri.path
      socket.write("GET #{path} HTTP/1.1\r\nConnection: Upgrade\r\nHost: #{uri.host}:#{uri.port}\r\n" \
                   "Sec-WebSocket-Key: #{key}\r\nSec-WebSocket-Version: 13\r\nUpgrade: websocket\r\n" \
                   "User-Agent: #{USER_AGENT}\r\n\r\n")
      check_upgrade(read_head(socket), key)
    end
    private_class_method :upgrade

    # Byte by byte, out of the socket's own buffer: frames may follow.
    def self.read_head(socket)
      head = String.new(encoding: Encoding::BINARY)
      until head.include?("\r\n\r\n")
        raise Unreachable, 'the answer to the upgrade is too long' if head.bytesize > MAX_HEAD_BYTES

        head << socket.readpartial(1)
      end
      head
    end
    private_class_method :read_head

    def self.check_upgrade(head, key)
      status = head[%r{\AHTTP/1\.\d (\d+)}n, 1]
      raise Unreachable, "the broker answers #{status || 'no HTTP'} to the upgrade" unless status == '101'

      accept = head[/^sec-websocket-accept:\s*(\S+)/in, 1]
      expected = [OpenSSL::Digest.digest('SHA1', key + GUID)].pack('m0')
      raise Unreachable, 'the broker is no WebSocket server' unless accept == expected
    end
    private_class_method :check_upgrade
  end
end
