# frozen_string_literal: true

# A room that libraries share: none of them may be loaded because another opens it.
module Net; end

# Parts of Ruby's library that Puppet itself has loaded before any code of modules runs, so that this relies on them
# without requiring them. Here each is loaded when it is first used.
module Bunraku
  module LoadedBefore
    CONSTANTS = {
      'base64' => %i[Base64],
      'benchmark' => %i[Benchmark],
      'date' => %i[Date DateTime],
      'delegate' => %i[Delegator SimpleDelegator],
      'digest' => %i[Digest],
      'etc' => %i[Etc],
      'fileutils' => %i[FileUtils],
      'find' => %i[Find],
      'forwardable' => %i[Forwardable SingleForwardable],
      'getoptlong' => %i[GetoptLong],
      'ipaddr' => %i[IPAddr],
      'logger' => %i[Logger],
      'monitor' => %i[Monitor MonitorMixin],
      'open3' => %i[Open3],
      'openssl' => %i[OpenSSL],
      'ostruct' => %i[OpenStruct],
      'optparse' => %i[OptionParser OptParse],
      'pathname' => %i[Pathname],
      'prime' => %i[Prime],
      'psych' => %i[Psych],
      'rbconfig' => %i[RbConfig],
      'resolv' => %i[Resolv],
      'ripper' => %i[Ripper],
      'rubygems' => %i[Gem],
      'securerandom' => %i[SecureRandom],
      'set' => %i[Set],
      'singleton' => %i[Singleton],
      'socket' => %i[Addrinfo BasicSocket IPSocket Socket SocketError TCPServer TCPSocket UDPSocket UNIXServer UNIXSocket],
      'stringio' => %i[StringIO],
      'syslog' => %i[Syslog],
      'timeout' => %i[Timeout],
      'tsort' => %i[TSort],
      'uri' => %i[URI],
      'yaml' => %i[YAML],
      'zlib' => %i[Zlib]
    }.freeze

    METHODS = {
      'date' => { Time => %i[to_date to_datetime to_time] },
      'openssl' => { Integer => %i[to_bn] },
      'prime' => { Integer => %i[prime? prime_division], Integer.singleton_class => %i[each_prime from_prime_division] },
      'set' => { Enumerable => %i[to_set] },
      'time' => { Time => %i[httpdate iso8601 rfc2822 rfc822 xmlschema],
                  Time.singleton_class => %i[httpdate iso8601 parse rfc2822 rfc822 strptime xmlschema zone_offset] },
      'tmpdir' => { Dir.singleton_class => %i[mktmpdir tmpdir] },
      'yaml' => { Object => %i[to_yaml] }
    }.freeze

    # Private, as `Kernel`'s own.
    FUNCTIONS = { 'delegate' => %i[DelegateClass], 'digest' => %i[Digest], 'pathname' => %i[Pathname], 'uri' => %i[URI] }.freeze

    class << self
      def arrange
        CONSTANTS.each do |feature, names|
          names.each { |name| Object.autoload(name, file_of(feature)) unless Object.const_defined?(name) }
        end
        Net.autoload(:HTTP, 'net/http')
        METHODS.each do |feature, owners|
          owners.each { |owner, names| names.each { |name| stand_in(owner, name, feature) } }
        end
        FUNCTIONS.each { |feature, names| names.each { |name| stand_in(Object, name, feature, :private) } }
      end

      # The library that a file is a part of, which relies on the rest being there.
      def whole_of(name)
        root = name[%r{\A([^/]+)/}, 1]
        file_of(root) if root && CONSTANTS[root]&.any? { |constant| Object.autoload?(constant) }
      end

      private

      def file_of(feature)
        feature == 'rubygems' ? Requiring::GEMS : feature
      end

      # A method that makes room for the real one.
      def stand_in(owner, name, feature, visibility = :public)
        return if owner.method_defined?(name) || owner.private_method_defined?(name)

        owner.define_method(name) do |*args, **options, &block|
          owner.send(:remove_method, name)
          require feature
          __send__(name, *args, **options, &block)
        end
        owner.send(visibility, name)
      end
    end
  end
end

Bunraku::LoadedBefore.arrange
