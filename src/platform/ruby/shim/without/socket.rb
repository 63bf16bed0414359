# frozen_string_literal: true

# Names that other libraries use when they are loaded (`ipaddr`, `net/http`): what they stand for is not there.
class SocketError < StandardError; end

class BasicSocket < IO
  def self.new(*)
    Bunraku.impossible('a network connection')
  end

  class << self
    alias open new
    alias for_fd new
  end
end

class IPSocket < BasicSocket
  def self.getaddress(host)
    Bunraku.impossible("looking up the address of #{host}")
  end
end

class TCPSocket < IPSocket
  def self.gethostbyname(host)
    Bunraku.impossible("looking up the address of #{host}")
  end
end

class TCPServer < TCPSocket; end
class UDPSocket < IPSocket; end
class UNIXSocket < BasicSocket; end

class Socket < BasicSocket
  # As on Linux.
  AF_UNSPEC = 0
  AF_UNIX = 1
  AF_INET = 2
  AF_INET6 = 10
  PF_INET = AF_INET
  PF_INET6 = AF_INET6
  SOCK_STREAM = 1
  SOCK_DGRAM = 2
  IPPROTO_TCP = 6
  TCP_NODELAY = 1
  SOL_SOCKET = 1
  SO_KEEPALIVE = 9

  class ResolutionError < SocketError; end

  class << self
    %i[tcp udp_server_sockets tcp_server_sockets unix getaddrinfo gethostbyname getifaddrs ip_address_list gethostname
       getnameinfo getservbyname].each do |name|
      define_method(name) { |*| Bunraku.impossible('the network') }
    end
  end
end

class Addrinfo
  %i[new tcp udp ip getaddrinfo unix].each do |name|
    define_singleton_method(name) { |*| Bunraku.impossible('the network') }
  end
end
