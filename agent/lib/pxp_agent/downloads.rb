# frozen_string_literal: true

require 'digest'
require 'fileutils'
require 'net/http'
require 'openssl'
require 'securerandom'
require 'uri'

module PxpAgent
  # Files that servers have for actions. Those of tasks are kept by their checksum, and fetched once.
  class Downloads
    # The file cannot be had. The texts are those of the C++ agent.
    class Failed < StandardError; end

    # Seconds between the five attempts.
    WAITS = [1, 2, 4, 8].freeze
    MODE = 0o750

    # @param settings - `servers` (`https://host:port`), `cache`, `connect_timeout`, `timeout`, `proxy`
    def initialize(settings, tls, log:)
      @settings = settings
      @tls = tls
      @log = log
    end

    # @param file - `filename`, `uri` and `sha256`
    # @return where it is in the cache
    def cached(file)
      directory = cache_directory(file['sha256'])
      destination = File.join(directory, File.basename(file['filename']))
      begin
        attempts ||= 0
        place(file, destination)
      rescue Failed => e
        raise Failed, "Failed to download file with: #{e.message}" if attempts == WAITS.size

        @log.warn("#{e.message}; trying again in #{WAITS[attempts]} s")
        sleep(WAITS[attempts])
        attempts += 1
        retry
      end
      FileUtils.touch(directory)
      destination
    end

    # Makes a file unless it is there with that checksum.
    def place(file, destination)
      if File.file?(destination) && checksum(destination).casecmp?(file['sha256'])
        File.chmod(MODE, destination)
        return destination
      end
      raise Failed, 'Cannot download file. No master-uris were provided' if @settings[:servers].empty?

      name = File.basename(destination)
      temporary = File.join(cache_directory(file['sha256']), "temp_file_#{SecureRandom.hex(8)}")
      begin
        fetch(file['uri'], name, temporary)
        verify(temporary, file['sha256'], name)
        install(temporary, destination)
      ensure
        FileUtils.rm_f(temporary)
      end
      destination
    end

    # Removes what was not used for this many seconds.
    def purge(seconds, now: Time.now)
      Dir.glob(File.join(@settings[:cache], '*')).each do |directory|
        FileUtils.rm_rf(directory) if File.mtime(directory) < now - seconds
      end
    end

    # A directory of the cache, made if need be.
    def cache_directory(name)
      directory = File.join(@settings[:cache], name.gsub(/[^A-Za-z0-9._-]/, '_').sub(/\A\.+/, '_'))
      FileUtils.mkdir_p(directory, mode: MODE)
      directory
    end

    private

    def checksum(path)
      Digest::SHA256.file(path).hexdigest
    end

    def verify(temporary, sha256, name)
      return if checksum(temporary) == sha256

      raise Failed, "The downloaded file \"#{name}\" has a SHA that differs from the provided SHA"
    end

    def install(temporary, destination)
      File.chmod(MODE, temporary)
      FileUtils.mkdir_p(File.dirname(destination))
      FileUtils.mv(temporary, destination)
    end

    def fetch(uri, name, temporary)
      problem = nil
      @settings[:servers].each do |server|
        problem = fetch_from(address(server, uri), temporary)
        return if problem.nil?
      end
      raise Failed, "Downloading file \"#{name}\" failed after trying all the available master-uris. " \
                    "Most recent error message: #{problem}"
    end

    def address(server, uri)
      params = uri['params']
      query = params.empty? ? '' : "?#{URI.encode_www_form(params)}"
      URI.parse("#{server}#{uri['path']}#{query}")
    end

    # @return what went wrong, or nil
    def fetch_from(address, temporary)
      client(address).start do |http|
        request = Net::HTTP::Get.new(address, 'Accept' => '*/*', 'Accept-Encoding' => 'identity')
        http.request(request) { |response| return save(response, address, temporary) }
      end
    rescue SystemCallError, SocketError, IOError, Timeout::Error, OpenSSL::OpenSSLError, Net::ProtocolError,
           Net::HTTPBadResponse => e
      "#{address} cannot be reached: #{e.message}"
    end

    def save(response, address, temporary)
      status = response.code.to_i
      if status >= 400
        body = response.body.to_s.force_encoding(Encoding::UTF_8).scrub
        return "#{address} returned a response with HTTP status #{status}. Response body: #{body}"
      end
      deadline = Process.clock_gettime(Process::CLOCK_MONOTONIC) + @settings[:timeout]
      File.open(temporary, 'wb', 0o640) do |file|
        response.read_body do |part|
          file.write(part)
          raise Net::ReadTimeout if Process.clock_gettime(Process::CLOCK_MONOTONIC) > deadline
        end
      end
      nil
    end

    def client(address)
      proxy = @settings[:proxy] ? URI.parse(@settings[:proxy]) : nil
      http = Net::HTTP.new(address.host, address.port, proxy && proxy.host, proxy && proxy.port,
                           proxy && proxy.user, proxy && proxy.password)
      http.use_ssl = true
      http.verify_mode = OpenSSL::SSL::VERIFY_PEER
      http.min_version = OpenSSL::SSL::TLS1_2_VERSION
      http.cert_store = @tls.store
      http.cert = @tls.certificates.first
      http.key = @tls.key
      http.open_timeout = @settings[:connect_timeout]
      http.read_timeout = @settings[:timeout]
      http.max_retries = 0 if http.respond_to?(:max_retries=)
      http
    end
  end
end
